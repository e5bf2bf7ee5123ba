import { formType, headerOf, jsonOf, type WireResponse } from "../../recording/exchange.ts";
import type { EvaluatedResponse } from "./evaluation.ts";

/** Longer texts are tokens, which must not become usable. */
const longText = /[\w.~+-]{64,}/g;
const shownLength = 24;

/** Returns the members of a response in JSON or as a form, as some providers send them. */
export function membersOf(response: WireResponse): Record<string, unknown> {
  const isForm = headerOf(response, "Content-Type")?.startsWith(formType) ?? false;
  return isForm ? Object.fromEntries(new URLSearchParams(response.body)) : jsonOf(response) ?? {};
}

/** Returns a response as it goes over the wire, with long tokens cut. */
export function evaluatedResponse(response: WireResponse): EvaluatedResponse {
  return {
    status: response.status,
    content_type: headerOf(response, "Content-Type") ?? "",
    body: response.body.replace(longText, (text) => `${text.slice(0, shownLength)}…`),
  };
}
