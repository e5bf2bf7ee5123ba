import { describeSpan } from "../describe_span.ts";
import { type IssuedCredential, nameOf } from "../ledger.ts";
import { findRevocation } from "../revocation.ts";
import type { CheckFacts } from "./check_facts.ts";

/** What a token has to be when it is presented. */
export const activeToken = "one that has not expired and was not revoked";

/** Names a token, and says what ended it before the request that presents it. */
export function describeToken(facts: CheckFacts, token: IssuedCredential): string {
  const end = endOf(facts, token);
  const name = nameOf(token, facts.ledger);
  return end === undefined ? name : `${name}, ${end}`;
}

/** Returns what ended a token before the request that presents it, if the flow shows it. */
export function endOf(
  { exchange, earlier, nameExchange }: CheckFacts,
  token: IssuedCredential,
): string | undefined {
  const { issuedAt, lifetime } = token;
  const expiresAt = lifetime === undefined ? undefined : issuedAt + lifetime * 1000;
  if (expiresAt !== undefined && expiresAt <= exchange.at) {
    return `expired ${describeSpan(exchange.at - expiresAt)} ago`;
  }
  const revocation = findRevocation(earlier, token);
  return revocation && `revoked in ${nameExchange(revocation.exchange)}: ${revocation.reason}`;
}
