import { errorFactory } from "./oauth_error.ts";

const invalidScope = errorFactory("invalid_scope", "OAuth 2.1, section 1.4.1");

const grammar = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** Parses a scope: tokens separated by single spaces, in any order (OAuth 2.1, section 1.4.1). */
export function parseScope(text: string): string[] {
  if (!grammar.test(text)) {
    throw invalidScope("The scope must be a list of tokens separated by single spaces.");
  }
  return [...new Set(text.split(" "))];
}

export function isScopeToken(text: string): boolean {
  return grammar.test(text) && !text.includes(" ");
}

export function formatScope(scope: readonly string[]): string {
  return scope.join(" ");
}

/** Reads the requested scope, which must be allowed. A missing one becomes the default. */
export function readScope(
  text: string | undefined,
  allowed: readonly string[],
  defaultScope: readonly string[],
): string[] {
  if (text !== undefined) return checkAllowedScope(parseScope(text), allowed);
  if (defaultScope.length > 0) return [...defaultScope];
  throw invalidScope("The parameter 'scope' is missing, and this client has no default scope.");
}

function checkAllowedScope(scope: string[], allowed: readonly string[]): string[] {
  const forbidden = scope.find((token) => !allowed.includes(token));
  if (forbidden === undefined) return scope;
  throw invalidScope(
    `The scope '${forbidden.slice(0, 64)}' is not allowed. Allowed: '${allowed.join(" ")}'.`,
  );
}

/**
 * Narrows the granted scope. A token request can never widen it (OAuth 2.1, section 4.3.1). Tokens
 * that are `droppable` are ignored where they were not granted, unless no other is left.
 */
export function narrowScope(
  text: string | undefined,
  granted: readonly string[],
  droppable: readonly string[] = [],
): string[] {
  if (text === undefined) return [...granted];
  const scope = parseScope(text);
  const kept = scope.filter((token) => granted.includes(token) || !droppable.includes(token));
  return checkAllowedScope(kept.length > 0 ? kept : scope, granted);
}
