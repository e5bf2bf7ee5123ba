interface MediaRange {
  range: string;
  weight: number;
}

/** Whether a request prefers a media type to the default one (RFC 9110, section 12.5.1). */
export function prefers(request: Request, type: string, defaultType: string): boolean {
  const accept = request.headers.get("Accept") ?? "";
  const ranges = accept.toLowerCase().split(",").map(readRange);
  const weightOf = (type: string) => ranges.find(({ range }) => range === type)?.weight ?? 0;
  return weightOf(type) > 0 && weightOf(type) >= weightOf(defaultType);
}

/** Whether a request comes from a browser that shows a page; a program gets JSON. */
export function wantsPage(request: Request): boolean {
  return prefers(request, "text/html", "application/json");
}

function readRange(text: string): MediaRange {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return { range, weight: weight === undefined ? 1 : Number(weight) || 0 };
}
