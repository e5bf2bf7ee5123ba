import {
  formType,
  headerOf,
  jsonOf,
  type WireRequest,
  type WireResponse,
  withHeaderValue,
} from "../recording/exchange.ts";

/** Returns a response as a form, unless the request accepts JSON by name. */
export function asForm({ headers }: WireRequest, response: WireResponse): WireResponse {
  const json = jsonOf(response);
  const isJson = headerOf(response, "Content-Type")?.includes("json") ?? false;
  if (!json || !isJson || /\bjson\b/i.test(headers.accept ?? "")) return response;
  const members = Object.entries(json).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const body = new URLSearchParams(members).toString();
  return { ...withHeaderValue(response, "Content-Type", `${formType}; charset=utf-8`), body };
}
