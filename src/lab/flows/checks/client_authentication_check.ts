import { isScheme } from "../../recording/credentials.ts";
import type { WireRequest } from "../../recording/exchange.ts";
import type { CheckFacts } from "./check_facts.ts";
import { type FlowCheck, serverCheck } from "./flow_check.ts";

/** Checks that the client proves who it is, with a method that is its own. */
export function clientIsAuthenticated(
  { exchange: { request }, client, refusal }: CheckFacts,
): FlowCheck {
  const methods = client?.authentication ?? [];
  const used = methodsUsed(request);
  const isRefused = refusal?.error === "invalid_client";
  const isItsOwn = used.length === 1 && methods.some((each) => each === used[0]);
  return serverCheck({
    title: "The client is authenticated",
    expected: methods.join(" or ") || "a known client",
    came: [used.join(" and "), isRefused && refusal.hint].filter(Boolean).join(". "),
    isPassed: !isRefused && (isItsOwn || hasAssertion(request)),
    see: "OAuth 2.1, section 2.4",
  });
}

/** Returns the methods that a request uses; "none" if it only names its client. */
function methodsUsed({ headers, form }: WireRequest): string[] {
  const methods = [
    ...isScheme(headers.authorization ?? "", "Basic") ? ["client_secret_basic"] : [],
    ...form.has("client_secret") ? ["client_secret_post"] : [],
    ...form.has("client_assertion") ? ["private_key_jwt"] : [],
  ];
  return methods.length > 0 ? methods : ["none"];
}

/** Which of the two methods with an assertion was used, only the server can tell. */
function hasAssertion({ form }: WireRequest): boolean {
  return form.has("client_assertion");
}
