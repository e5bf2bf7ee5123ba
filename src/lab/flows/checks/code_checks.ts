import { isCodeVerifier } from "../../../protocol/pkce.ts";
import { sha256 } from "../../../util/hash.ts";
import { describeSpan } from "../describe_span.ts";
import { firstRedemption, type IssuedCredential } from "../ledger.ts";
import { clientIsKnown } from "./authorization_checks.ts";
import type { CheckFacts } from "./check_facts.ts";
import { clientIsAuthenticated } from "./client_authentication_check.ts";
import { type FlowCheck, missing, serverCheck } from "./flow_check.ts";

/** Returns the checks of a code exchange, in the order in which the server makes them. */
export async function codeChecks(facts: CheckFacts): Promise<FlowCheck[]> {
  const code = issuedCode(facts);
  const first = [clientIsKnown(facts), clientIsAuthenticated(facts), codeIsKnown(facts, code)];
  if (!code) return first;
  return [
    ...first,
    codeIsFresh(facts, code),
    codeIsThisClients(facts),
    redirectUriIsTheSame(facts),
    ...await verifierMatches(facts),
    codeIsUnused(facts, code),
  ];
}

function issuedCode({ exchange, ledger }: CheckFacts): IssuedCredential | undefined {
  const code = exchange.request.form.get("code");
  return ledger.issued.find(({ kind, value }) => kind === "code" && value === code);
}

function codeIsKnown(
  { exchange, nameExchange }: CheckFacts,
  code: IssuedCredential | undefined,
): FlowCheck {
  const came = exchange.request.form.has("code") ? "a code that was never issued" : missing;
  return serverCheck({
    title: "The code is known",
    expected: "a code that this server issued",
    came: code ? `the code from ${nameExchange(code.issuedBy)}` : came,
    isPassed: code !== undefined,
    see: "OAuth 2.1, section 4.1.3",
  });
}

function codeIsFresh(
  { exchange, codeLifetime }: CheckFacts,
  { issuedAt }: IssuedCredential,
): FlowCheck {
  const age = exchange.at - issuedAt;
  return serverCheck({
    title: "The code has not expired",
    expected: `at most ${describeSpan(codeLifetime * 1000)} old`,
    came: `${describeSpan(age)} old`,
    isPassed: age < codeLifetime * 1000,
    see: "OAuth 2.1, section 4.1.2",
  });
}

function codeIsThisClients({ exchange, authorizationRequest }: CheckFacts): FlowCheck {
  const expected = authorizationRequest.get("client_id") ?? missing;
  const came = exchange.request.client ?? missing;
  return serverCheck({
    title: "The code was issued to this client",
    expected,
    came,
    isPassed: expected === came,
    see: "OAuth 2.1, section 4.1.3",
  });
}

function redirectUriIsTheSame(
  { exchange, authorizationRequest, client }: CheckFacts,
): FlowCheck {
  const expected = authorizationRequest.get("redirect_uri");
  const came = exchange.request.form.get("redirect_uri");
  const mayBeMissing = client?.redirectUriAtToken === "if-present" && came === null;
  return serverCheck({
    title: "The redirect URI is the one of the authorization request",
    expected: expected ?? missing,
    came: came ?? missing,
    isPassed: came === expected || mayBeMissing,
    see: "OAuth 2.1, section 4.1.3",
  });
}

async function verifierMatches(
  { exchange, authorizationRequest }: CheckFacts,
): Promise<FlowCheck[]> {
  const challenge = authorizationRequest.get("code_challenge");
  const verifier = exchange.request.form.get("code_verifier");
  if (challenge === null && verifier === null) return [];
  const hash = verifier === null ? undefined : await sha256(verifier);
  return [serverCheck({
    title: "The code verifier matches the challenge",
    expected: challenge ?? "no code_verifier, because the request had no code_challenge",
    came: hash ?? "no code_verifier",
    isPassed: hash !== undefined && hash === challenge && isCodeVerifier(verifier ?? ""),
    see: "RFC 7636, section 4.6",
  })];
}

function codeIsUnused(
  { exchange, ledger, nameExchange }: CheckFacts,
  { value }: IssuedCredential,
): FlowCheck {
  const first = firstRedemption(ledger, value);
  const isRepeat = first !== undefined && first.exchange < exchange.id;
  return serverCheck({
    title: "The code is used once",
    expected: "its first use",
    came: isRepeat ? `used before, in ${nameExchange(first.exchange)}` : "its first use",
    isPassed: !isRepeat,
    see: "OAuth 2.1, section 7.5.2",
  });
}
