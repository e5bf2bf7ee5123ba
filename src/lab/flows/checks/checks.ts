import type { AppliedRule } from "../../../server/protocol/rule.ts";
import { redactValue } from "../../recording/redact.ts";
import type { CheckFacts } from "./check_facts.ts";
import { endOfCredential } from "./credential_history.ts";
import type { FlowCheck } from "./flow_check.ts";
import { responseChecks } from "./response_checks.ts";

/**
 * Returns everything that was checked about an exchange, in order: by the server about the request,
 * and by the client about the response.
 */
export function checksOf(facts: CheckFacts): FlowCheck[] {
  const applied = facts.exchange.rules.map((rule) => serverCheck(facts, rule));
  return [...applied, ...responseChecks(facts)];
}

/** Returns the check of an applied rule, with what the history of the flow adds to it. */
function serverCheck(
  { exchange, history }: CheckFacts,
  { rule, passed, expected, came }: AppliedRule,
): FlowCheck {
  const end = passed ? undefined : endOfCredential(exchange, history, rule.id);
  const { title, see } = rule;
  const shown = { expected: redactValue(expected), came: redactValue(end ?? came) };
  return { title, see, ...shown, isPassed: passed, by: "server" };
}
