import { headerOf, jsonOf, type WireRequest, type WireResponse } from "../recording/exchange.ts";

const formType = "application/x-www-form-urlencoded; charset=utf-8";

/** Returns a response as a form, unless the request accepts JSON by name. */
export function asForm({ headers }: WireRequest, response: WireResponse): WireResponse {
  const json = jsonOf(response);
  const isJson = headerOf(response, "Content-Type")?.includes("json") ?? false;
  if (!json || !isJson || /\bjson\b/i.test(headers.accept ?? "")) return response;
  const members = Object.entries(json).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return {
    ...response,
    headers: response.headers.map(([name, value]) => [
      name,
      name.toLowerCase() === "content-type" ? formType : value,
    ]),
    body: new URLSearchParams(members).toString(),
  };
}
