import type { AccessTokenClaims } from "../../model/access_token.ts";
import { type BoundedMap, createBoundedMap } from "../../util/bounded_map.ts";

/** Tokens whose signature was found good: what they say, and which key signed them. An API asks about the same one again and again. */
export type VerifiedTokens = BoundedMap<{ claims: AccessTokenClaims; kid: string }>;

export function createVerifiedTokens(): VerifiedTokens {
  return createBoundedMap(1000);
}
