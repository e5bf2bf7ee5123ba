import { OAuthError } from "./oauth_error.ts";

const grammar = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** Reads a scope: tokens with single spaces between them, in any order (OAuth 2.1, section 1.4.1). */
export function parseScope(text: string): string[] {
  if (!grammar.test(text)) {
    throw new OAuthError("invalid_scope", "A scope is a list of tokens with one space between them.", {
      see: "OAuth 2.1, section 1.4.1",
    });
  }
  return [...new Set(text.split(" "))];
}

export function isScopeToken(text: string): boolean {
  return grammar.test(text) && !text.includes(" ");
}

export function formatScope(scope: readonly string[]): string {
  return scope.join(" ");
}

/** What of `wanted` stands in none of `allowed`. */
export function scopeBeyond(wanted: readonly string[], allowed: readonly string[]): string[] {
  return wanted.filter((token) => !allowed.includes(token));
}

/** The scope that a request gets: what it names, or else what is granted by default. */
export function scopeWithin(text: string | undefined, allowed: readonly string[], byDefault: readonly string[]): string[] {
  if (text === undefined) return [...byDefault];
  const wanted = parseScope(text);
  const beyond = scopeBeyond(wanted, allowed);
  if (beyond.length > 0) {
    throw new OAuthError("invalid_scope", `Not allowed here: '${beyond.join(" ")}'. Allowed: '${allowed.join(" ")}'.`, {
      see: "OAuth 2.1, section 1.4.1",
    });
  }
  return wanted;
}
