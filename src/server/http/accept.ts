import type { RequestHeaders } from "./incoming_request.ts";

/** Whether a request prefers a media type to the default one (RFC 9110, section 12.5.1). */
export function prefers(headers: RequestHeaders, type: string, defaultType: string): boolean {
  const accept = (headers.get("Accept") ?? "").toLowerCase();
  // Only saves time.
  if (!accept.includes(type)) return false;
  const ranges = accept.split(",").map(readRange);
  const weightOf = (type: string) => ranges.find(({ range }) => range === type)?.weight ?? 0;
  return weightOf(type) > 0 && weightOf(type) >= weightOf(defaultType);
}

/** Whether a request comes from a browser that shows a page; a program gets JSON. */
export function wantsPage(headers: RequestHeaders): boolean {
  return prefers(headers, "text/html", "application/json");
}

/**
 * Returns the languages that a request accepts, the preferred one first (RFC 9110, section 12.5.4).
 */
export function acceptedLanguages(headers: RequestHeaders): string[] {
  const ranges = (headers.get("Accept-Language") ?? "").split(",").map(readRange);
  return ranges
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ range }) => range);
}

function readRange(text: string): { range: string; weight: number } {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return { range, weight: weight === undefined ? 1 : Number(weight) || 0 };
}
