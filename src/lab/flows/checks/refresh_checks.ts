import { type CredentialKind, firstRedemption, type IssuedCredential, nameOf } from "../ledger.ts";
import { clientIsKnown } from "./authorization_checks.ts";
import type { CheckFacts } from "./check_facts.ts";
import { clientIsAuthenticated } from "./client_authentication_check.ts";
import { type FlowCheck, missing, serverCheck } from "./flow_check.ts";
import { activeToken, describeToken, endOf } from "./token_is_active.ts";

/** Returns the checks of a refresh. */
export function refreshChecks(facts: CheckFacts): FlowCheck[] {
  const token = facts.exchange.request.form.get("refresh_token");
  const issued = issuedAs(facts, "refresh token", token);
  return [
    clientIsKnown(facts),
    clientIsAuthenticated(facts),
    isKnown(facts, issued, token),
    ...issued ? [isUnused(facts, issued), ...isActive(facts, issued)] : [],
  ];
}

/** Returns the checks of a request that presents an access token. */
export function accessTokenChecks(facts: CheckFacts, token: string | undefined): FlowCheck[] {
  const { refusal } = facts;
  const issued = issuedAs(facts, "access token", token ?? null);
  const name = issued ? describeToken(facts, issued) : "a token that was not issued in this flow";
  return [serverCheck({
    title: "The access token is active",
    expected: activeToken,
    came: token === undefined ? missing : name,
    isPassed: refusal?.error !== "invalid_token",
    see: "OAuth 2.1, section 5.3",
  })];
}

function issuedAs(
  { ledger }: CheckFacts,
  kind: CredentialKind,
  token: string | null,
): IssuedCredential | undefined {
  return ledger.issued.find((each) => each.kind === kind && each.value === token);
}

function isKnown(
  { ledger, nameExchange }: CheckFacts,
  issued: IssuedCredential | undefined,
  token: string | null,
): FlowCheck {
  const unknown = token === null ? missing : "a token that this flow never issued";
  return serverCheck({
    title: "The refresh token is known",
    expected: "a refresh token of this server",
    came: issued ? `${nameOf(issued, ledger)}, from ${nameExchange(issued.issuedBy)}` : unknown,
    isPassed: issued !== undefined,
    see: "OAuth 2.1, section 4.3",
  });
}

function isUnused(
  { exchange, ledger, refusal, nameExchange }: CheckFacts,
  { value }: IssuedCredential,
): FlowCheck {
  const first = firstRedemption(ledger, value);
  const isRepeat = first !== undefined && first.exchange < exchange.id;
  return serverCheck({
    title: "The refresh token is used once",
    expected: "its first use",
    came: isRepeat ? `used before, in ${nameExchange(first.exchange)}` : "its first use",
    // A client that keeps its token, or lost a response, may use it again.
    isPassed: !isRepeat || refusal === undefined,
    see: "OAuth 2.1, section 4.3.1",
  });
}

/** A second use revokes the token, too; that it was used before explains more. */
function isActive(facts: CheckFacts, issued: IssuedCredential): FlowCheck[] {
  if (firstRedemption(facts.ledger, issued.value)) return [];
  return [serverCheck({
    title: "The refresh token is active",
    expected: activeToken,
    came: describeToken(facts, issued),
    isPassed: endOf(facts, issued) === undefined,
    see: "OAuth 2.1, section 4.3",
  })];
}
