import type { AccessTokenClaims } from "../../protocol/access_token.ts";

/** Tokens whose signature was found good; an API asks about the same one again and again. */
export interface VerifiedTokens {
  get(token: string): AccessTokenClaims | undefined;
  keep(token: string, claims: AccessTokenClaims): void;
}

const most = 1000;

export function createVerifiedTokens(): VerifiedTokens {
  const kept = new Map<string, AccessTokenClaims>();
  return {
    get: (token) => kept.get(token),
    keep: (token, claims) => {
      kept.set(token, claims);
      if (kept.size > most) kept.delete(kept.keys().next().value!);
    },
  };
}
