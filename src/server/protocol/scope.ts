import type { Client } from "../model/client.ts";
import {
  type ApplyRule,
  type ComparedLists,
  comparedLists,
  requirePresent,
  ruleSet,
} from "./rule.ts";

const grammar = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;

const about = {
  see: "OAuth 2.1, section 1.4.1",
  parameter: "scope",
  error: "invalid_scope",
} as const;

/** What came is the first part of the scope that is not expected. */
export const comparedScopes = {
  ...comparedLists,
  received: ({ received, expected }: ComparedLists) =>
    received.find((token) => !expected.includes(token)) ?? received.join(" "),
};

export const scopeRules = ruleSet("scope", about, {
  form: {
    title: "The scope must be a list of tokens, separated by single spaces",
    holds: (text: string) => isScope(text),
  },
  present: {
    title: "The request must have a scope if the client has no default scope",
    fix: "Send a scope, or give the client a default scope.",
  },
  allowed: {
    ...comparedScopes,
    title: "Each part of the scope must be one that the client may request",
    message: (facts) => `Each part of the scope must be one of: ${comparedLists.expected(facts)}.`,
    fix: "Request only scopes that the server knows and that this client may have.",
    expected: () => "scopes that the client may have",
  },
  // A token request can never widen the scope.
  granted: {
    ...comparedScopes,
    see: "OAuth 2.1, section 4.3.1",
    title: "Each part of the scope must be one that was granted",
    message: (facts) =>
      `Each part of the scope must be one that was granted: ${comparedLists.expected(facts)}.`,
    fix: "Omit the scope, or send a part of the granted one. More needs a new authorization.",
    expected: () => "scopes of the grant",
  },
  offline_access: {
    see: "OpenID Connect Core, section 11",
    title: "The scope 'offline_access' must come with the prompt 'consent', or with another scope",
    holds: (others: readonly string[]) => others.length > 0,
  },
  permitted: {
    error: "access_denied",
    title: "The policy of the server must permit a part of the scope",
    message: "This server does not permit any part of the scope for this user.",
    fix: "Handle the denial, or request another scope.",
    holds: ({ isAny }: { isAny: boolean }) => isAny,
  },
});

/** Parses a scope: tokens separated by single spaces, in any order (OAuth 2.1, section 1.4.1). */
export function parseScope(apply: ApplyRule, text: string): string[] {
  apply(scopeRules.form, text);
  return [...new Set(text.split(" "))];
}

/** Whether a value is a scope: tokens separated by single spaces. */
export function isScope(value: unknown): boolean {
  return typeof value === "string" && grammar.test(value);
}

export function isScopeToken(text: string): boolean {
  return isScope(text) && !text.includes(" ");
}

/** The scopes that a server defines, and what becomes of any other. */
export interface ScopeRules {
  scopes: ReadonlyMap<string, unknown>;
  unknownScopes: "ignore" | "refuse";
}

/**
 * Returns which scopes are ignored for a client: with `openid`, those that the server does not
 * define (OpenID Connect Core, section 3.1.2.1).
 */
export function ignoredScopes(
  client: Pick<Client, "unknownScopes">,
  { scopes, unknownScopes }: ScopeRules,
): (token: string) => boolean {
  const { unknownScopes: choice = unknownScopes } = client;
  return (token) => choice === "ignore" && !scopes.has(token);
}

/**
 * Reads the requested scope, which must be allowed. A missing one becomes the default. The response
 * names the rest if a part is ignored.
 */
export function readScope(
  apply: ApplyRule,
  text: string | undefined,
  allowed: readonly string[],
  defaultScope: readonly string[],
  isIgnored: (token: string) => boolean = () => false,
): string[] {
  if (text === undefined && defaultScope.length > 0) return [...defaultScope];
  const all = parseScope(apply, requirePresent(apply, scopeRules.present, text));
  const requested = all.includes("openid") ? all.filter((token) => !isIgnored(token)) : all;
  apply(scopeRules.allowed, { received: requested, expected: allowed });
  return requested;
}

/**
 * Narrows the granted scope (OAuth 2.1, section 4.3.1). Tokens that may be dropped are ignored where
 * they were not granted, unless no other is left.
 */
export function narrowScope(
  apply: ApplyRule,
  text: string | undefined,
  granted: readonly string[],
  isDroppable: (token: string) => boolean,
): string[] {
  if (text === undefined) return [...granted];
  const scope = parseScope(apply, text);
  const kept = scope.filter((token) => granted.includes(token) || !isDroppable(token));
  const requested = kept.length > 0 ? kept : scope;
  apply(scopeRules.granted, { received: requested, expected: granted });
  return requested;
}

/**
 * Returns the part of a requested scope that is allowed. Without such a part, the request stays as
 * it is, to be refused.
 */
export function intersectScope(
  text: string | undefined,
  allowed: readonly string[],
): string | undefined {
  if (text === undefined || !isScope(text)) return text;
  const common = text.split(" ").filter((token) => allowed.includes(token));
  return common.length > 0 ? common.join(" ") : text;
}
