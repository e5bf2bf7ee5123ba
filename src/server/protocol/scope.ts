import { type ApplyRule, requirePresent, type Rule } from "./rule.ts";

const about = {
  see: "OAuth 2.1, section 1.4.1",
  parameter: "scope",
  error: "invalid_scope",
} as const;

const grammar = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;

const scopeIsWellFormed: Rule<string> = {
  ...about,
  id: "scope.form",
  title: "The scope is a list of tokens, separated by single spaces",
  message: "The scope must be a list of tokens separated by single spaces.",
  advice: "Join the scope tokens with single spaces.",
  holds: isScope,
};

const scopeIsPresent: Rule<string | undefined> = {
  ...about,
  id: "scope.present",
  title: "The request has a scope, or the client has a default one",
  message: "The parameter 'scope' is missing, and this client has no default scope.",
  advice: "Send a scope, or give the client a default scope.",
  holds: (text) => text !== undefined,
};

/** The requested scope, and the one that the client may have here. */
interface ScopePair {
  requested: readonly string[];
  allowed: readonly string[];
}

const scopeIsAllowed: Rule<ScopePair> = {
  ...about,
  id: "scope.allowed",
  title: "The client may request this scope",
  message: ({ allowed }) => `A part of the scope is not allowed. Allowed: '${allowed.join(" ")}'.`,
  advice: "Request only scopes that the server knows and that this client may have.",
  holds: (scopes) => findForbidden(scopes) === undefined,
  expected: () => "scopes that the client may have",
  came: describeRequested,
};

/** A token request can never widen the scope. */
const scopeIsGranted: Rule<ScopePair> = {
  ...about,
  id: "scope.granted",
  title: "The scope is a part of the granted one",
  see: "OAuth 2.1, section 4.3.1",
  message: ({ allowed }) =>
    `A part of the scope is not in the grant. The grant has: '${allowed.join(" ")}'.`,
  advice: "Omit the scope, or send a part of the granted one. More needs a new authorization.",
  holds: (scopes) => findForbidden(scopes) === undefined,
  expected: ({ allowed }) => `'${allowed.join(" ")}' or a part of it, the scope of the grant`,
  came: describeRequested,
};

function describeRequested(scopes: ScopePair): string {
  const forbidden = findForbidden(scopes);
  return forbidden === undefined ? scopes.requested.join(" ") : `'${forbidden}'`;
}

function findForbidden({ requested, allowed }: ScopePair): string | undefined {
  return requested.find((token) => !allowed.includes(token));
}

/** Parses a scope: tokens separated by single spaces, in any order (OAuth 2.1, section 1.4.1). */
export function parseScope(apply: ApplyRule, text: string): string[] {
  apply(scopeIsWellFormed, text);
  return [...new Set(text.split(" "))];
}

/** Whether a value is a scope: tokens separated by single spaces. */
export function isScope(value: unknown): boolean {
  return typeof value === "string" && grammar.test(value);
}

export function isScopeToken(text: string): boolean {
  return isScope(text) && !text.includes(" ");
}

export function formatScope(scope: readonly string[]): string {
  return scope.join(" ");
}

/** Reads the requested scope, which must be allowed. A missing one becomes the default. */
export function readScope(
  apply: ApplyRule,
  text: string | undefined,
  allowed: readonly string[],
  defaultScope: readonly string[],
): string[] {
  if (text === undefined && defaultScope.length > 0) return [...defaultScope];
  const requested = parseScope(apply, requirePresent(apply, scopeIsPresent, text));
  apply(scopeIsAllowed, { requested, allowed });
  return requested;
}

/**
 * Narrows the granted scope (OAuth 2.1, section 4.3.1). Tokens that are `droppable` are ignored
 * where they were not granted, unless no other is left.
 */
export function narrowScope(
  apply: ApplyRule,
  text: string | undefined,
  granted: readonly string[],
  droppable: readonly string[],
): string[] {
  if (text === undefined) return [...granted];
  const scope = parseScope(apply, text);
  const kept = scope.filter((token) => granted.includes(token) || !droppable.includes(token));
  const requested = kept.length > 0 ? kept : scope;
  apply(scopeIsGranted, { requested, allowed: granted });
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
  return common.length > 0 ? formatScope(common) : text;
}
