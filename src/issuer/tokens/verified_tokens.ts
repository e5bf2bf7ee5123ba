import type { AccessTokenClaims } from "../../protocol/access_token.ts";
import type { BoundedMap } from "../limits/bounded_map.ts";
import { createBoundedMap } from "../limits/bounded_map.ts";

/** What tokens say whose signature was found good; an API asks about the same one again and again. */
export type VerifiedTokens = BoundedMap<AccessTokenClaims>;

export function createVerifiedTokens(): VerifiedTokens {
  return createBoundedMap(1000);
}
