import { toMilliseconds } from "../../server/issuer/time.ts";
import { isEncryptedJwt } from "../../server/protocol/jwt.ts";
import { readJwt } from "../recording/credentials.ts";
import { jsonOf } from "../recording/exchange.ts";
import { redactValue } from "../recording/redact.ts";
import { callbackIn, memberOf } from "../recording/wire_callback.ts";
import { showValue } from "../util/json_values.ts";
import type { CheckFacts } from "./check_facts.ts";
import { endOfCredential } from "./credential_end.ts";

/** Shown in place of a value that did not come. */
const nothingReceived = "nothing";

/** One thing that was checked about a request or a response. */
export interface FlowCheck {
  /** What should hold: "The code verifier matches the challenge". */
  title: string;
  /** What a client compares, in a word: "nonce". */
  name?: string;
  /** What was expected and what came, without secrets, where the check compares something. */
  expected?: string | undefined;
  received?: string | undefined;
  isPassed: boolean;
  /** The section that asks for it. */
  see: string;
  /** Who has to check it. */
  by: "server" | "client";
}

/**
 * Returns everything that was checked about an exchange, in order: by the server about the request,
 * and by the client about the response.
 */
export function flowChecksOf(facts: CheckFacts): FlowCheck[] {
  const { exchange, history } = facts;
  const applied = exchange.rules.map(({ rule, passed, expected, received }): FlowCheck => {
    // The history of the flow knows why a credential has ended.
    const end = passed ? undefined : endOfCredential(exchange, history, rule.id);
    const { title, see } = rule;
    const shown = { expected: redactValue(expected), received: redactValue(end ?? received) };
    return { title, see, ...shown, isPassed: passed, by: "server" };
  });
  return [...applied, ...responseChecks(facts)];
}

/** Returns what a client has to check about a response before it uses what is in it. */
function responseChecks(facts: CheckFacts): FlowCheck[] {
  const { exchange: { request, response }, issuer } = facts;
  const callback = response && callbackIn(response, issuer);
  if (callback) {
    const member = (name: string) => memberOf(callback, name);
    return member("response") === undefined ? callbackChecks(facts, member) : [];
  }
  const idToken = response && request.endpoint === "token" ? jsonOf(response)?.id_token : undefined;
  const isReadable = typeof idToken === "string" && !isEncryptedJwt(idToken);
  return isReadable ? idTokenChecks(facts, idToken) : [];
}

function callbackChecks(
  { authorizationRequest, issuer }: CheckFacts,
  member: (name: string) => string | undefined,
): FlowCheck[] {
  const state = authorizationRequest?.get("state");
  const stateCheck = clientCheck({
    title: "The state is the one that the client sent",
    name: "state",
    expected: state ?? nothingReceived,
    received: member("state") ?? nothingReceived,
    isPassed: member("state") === (state ?? undefined),
    see: "OAuth 2.1, section 4.1.2",
  });
  return [
    ...authorizationRequest ? [stateCheck] : [],
    clientCheck({
      title: "The response comes from the issuer that the client asked",
      name: "issuer",
      expected: issuer,
      received: member("iss") ?? nothingReceived,
      isPassed: member("iss") === issuer,
      see: "RFC 9207, section 2.4",
    }),
  ];
}

/** OpenID Connect Core, section 3.1.3.7. The signature is verified where the token is shown. */
function idTokenChecks(facts: CheckFacts, idToken: string): FlowCheck[] {
  const { exchange, issuer, authorizationRequest } = facts;
  const { claims = {} } = readJwt(idToken) ?? {};
  const nonce = authorizationRequest?.get("nonce") ?? null;
  const audiences = [claims.aud].flat();
  const expiresAt = typeof claims.exp === "number" ? toMilliseconds(claims.exp) : 0;
  const see = "OpenID Connect Core, section 3.1.3.7";
  const checks = [
    clientCheck({
      title: "The ID token comes from this issuer",
      name: "issuer",
      expected: issuer,
      received: textOf(claims.iss),
      isPassed: claims.iss === issuer,
      see,
    }),
    clientCheck({
      title: "The ID token is for this client",
      name: "audience",
      expected: exchange.request.client ?? nothingReceived,
      received: audiences.map(textOf).join(" "),
      isPassed: audiences.includes(exchange.request.client),
      see,
    }),
    clientCheck({
      title: "The ID token has not expired",
      name: "expiry",
      expected: `later than ${new Date(exchange.at).toISOString()}`,
      received: expiresAt > 0 ? timeOf(expiresAt) : nothingReceived,
      isPassed: expiresAt > exchange.at,
      see,
    }),
  ];
  // After a refresh, the ID token need not repeat the nonce (section 12.2).
  const isRefresh = exchange.request.form.get("grant_type") === "refresh_token";
  const isUnknown = !authorizationRequest || (nonce === null && claims.nonce === undefined);
  if (isRefresh || isUnknown) return checks;
  return [
    ...checks,
    clientCheck({
      title: "The nonce is the one that the client sent",
      name: "nonce",
      expected: nonce ?? nothingReceived,
      received: textOf(claims.nonce),
      isPassed: claims.nonce === nonce,
      see,
    }),
  ];
}

function clientCheck(check: Omit<FlowCheck, "by">): FlowCheck {
  return { ...check, by: "client" };
}

function textOf(value: unknown): string {
  return value === undefined ? nothingReceived : showValue(value);
}

/** A fault may send a time that no `Date` can hold. */
function timeOf(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds / 1000) : date.toISOString();
}
