import { type Exchange, tokenOf } from "../../recording/exchange.ts";
import { redact } from "../../recording/redact.ts";
import { authorizationChecks, clientIsKnown } from "./authorization_checks.ts";
import type { CheckFacts } from "./check_facts.ts";
import { clientIsAuthenticated } from "./client_authentication_check.ts";
import { codeChecks } from "./code_checks.ts";
import { type FlowCheck, missing, serverCheck } from "./flow_check.ts";
import { formCheck } from "./form_check.ts";
import { accessTokenChecks, refreshChecks } from "./refresh_checks.ts";
import { responseChecks } from "./response_checks.ts";

/**
 * Returns everything that was checked about an exchange, in order: by the server about the request,
 * and by the client about the response.
 */
export async function checksOf(facts: CheckFacts): Promise<FlowCheck[]> {
  const made = await requestChecks(facts);
  const isExplained = made.some(({ isPassed }) => !isPassed);
  const refused = isExplained ? [] : refusalCheck(facts);
  return [...made, ...refused, ...responseChecks(facts)];
}

async function requestChecks(facts: CheckFacts): Promise<FlowCheck[]> {
  const { request } = facts.exchange;
  const form = formCheck(facts.exchange);
  if (form) return [form];
  switch (request.endpoint) {
    case "authorize":
      return authorizationChecks(facts);
    case "par":
      return [...authorizationChecks(facts), clientIsAuthenticated(facts)];
    case "token":
      return await tokenChecks(facts);
    case "userinfo":
      return accessTokenChecks(facts, tokenOf(request));
    case "introspect":
    case "revoke":
    case "deviceAuthorization":
      return [clientIsKnown(facts), clientIsAuthenticated(facts)];
    default:
      return [];
  }
}

async function tokenChecks(facts: CheckFacts): Promise<FlowCheck[]> {
  switch (facts.exchange.request.form.get("grant_type")) {
    case "authorization_code":
      return await codeChecks(facts);
    case "refresh_token":
      return refreshChecks(facts);
    default:
      return [clientIsKnown(facts), clientIsAuthenticated(facts)];
  }
}

/**
 * What the server checked and we did not: its own words say what was expected. Without a parameter
 * there is nothing to compare, such as when a user denies a request.
 */
function refusalCheck({ exchange, refusal }: CheckFacts): FlowCheck[] {
  const { parameter, description, see = "OAuth 2.1, section 3.2.4" } = refusal ?? {};
  if (parameter === undefined || description === undefined) return [];
  return [serverCheck({
    title: `'${parameter}' is accepted`,
    expected: description,
    came: valueOf(exchange, parameter),
    isPassed: false,
    see,
  })];
}

/** Returns what a request has for a parameter or a header; a secret is hidden. */
function valueOf(exchange: Exchange, parameter: string): string {
  const { form, query, headers } = redact(exchange).request;
  return form.get(parameter) ?? query.get(parameter) ?? headers[parameter.toLowerCase()] ?? missing;
}
