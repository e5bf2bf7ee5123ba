import { errorFactory } from "./oauth_error.ts";

const invalidScope = errorFactory("invalid_scope", "OAuth 2.1, section 1.4.1");

const grammar = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** Reads a scope: tokens with single spaces between them, in any order (OAuth 2.1, section 1.4.1). */
export function parseScope(text: string): string[] {
  if (!grammar.test(text)) {
    throw invalidScope("A scope is a list of tokens with one space between them.");
  }
  return [...new Set(text.split(" "))];
}

export function isScopeToken(text: string): boolean {
  return grammar.test(text) && !text.includes(" ");
}

export function formatScope(scope: readonly string[]): string {
  return scope.join(" ");
}

/** The scope that a request gets: what it names, if that is allowed, or the default. */
export function scopeWithin(
  text: string | undefined,
  allowed: readonly string[],
  byDefault: readonly string[],
): string[] {
  if (text === undefined) {
    if (byDefault.length === 0) {
      throw invalidScope("The parameter 'scope' is missing, and this client has no default scope.");
    }
    return [...byDefault];
  }
  const wanted = parseScope(text);
  const beyond = wanted.filter((token) => !allowed.includes(token));
  if (beyond.length > 0) {
    throw invalidScope(
      `Not allowed here: '${beyond[0].slice(0, 64)}'. Allowed: '${allowed.join(" ")}'.`,
    );
  }
  return wanted;
}

/** Narrows to some of what was granted; nothing can widen it (OAuth 2.1, section 4.3.1). */
export function narrowScope(text: string | undefined, granted: readonly string[]): string[] {
  return text === undefined ? [...granted] : scopeWithin(text, granted, granted);
}
