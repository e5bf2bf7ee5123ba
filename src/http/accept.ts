/** Whether a request would rather have one media type than another, which is what it gets if it does not care (RFC 9110, section 12.5.1). */
export function prefers(request: Request, type: string, usual: string): boolean {
  const ranges = (request.headers.get("Accept") ?? "").toLowerCase().split(",").map(readRange);
  const weightOf = (wanted: string) => ranges.find(({ range }) => range === wanted)?.weight ?? 0;
  return weightOf(type) > 0 && weightOf(type) >= weightOf(usual);
}

/** Whether somebody looks at the answer in a browser; a program gets JSON. */
export function wantsPage(request: Request): boolean {
  return prefers(request, "text/html", "application/json");
}

function readRange(text: string): { range: string; weight: number } {
  const [range, ...parameters] = text.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return { range, weight: weight === undefined ? 1 : Number(weight) || 0 };
}
