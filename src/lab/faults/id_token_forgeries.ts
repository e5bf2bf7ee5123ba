import { claims, type JwtChange, withoutClaim } from "./jwt_forgery.ts";
import { aggregatedClaims } from "./referenced_claims.ts";

/** What can be wrong with an ID token but not with other tokens, or unusual and valid. */
export type IdTokenForgery =
  | "wrong_nonce"
  | "without_nonce"
  | "wrong_at_hash"
  | "without_at_hash"
  | "wrong_sub"
  | "without_iss"
  | "without_sub"
  | "without_aud"
  | "without_exp"
  | "without_iat"
  | "without_kid"
  | "aud_in_array"
  | "second_aud"
  | "second_aud_with_azp"
  | "aggregated_claims";

/** The changes that make an ID token wrong, or unusual and valid. */
export const idTokenForgeries: Record<IdTokenForgery, JwtChange> = {
  wrong_nonce: {
    what: "has a different nonce than the request",
    needs: "nonce",
    change: claims(() => ({ nonce: "another-nonce" })),
  },
  without_nonce: withoutClaim("nonce"),
  wrong_at_hash: {
    what: "belongs to a different access token, according to its at_hash",
    change: claims(() => ({ at_hash: "AAAAAAAAAAAAAAAAAAAAAA" })),
  },
  without_at_hash: withoutClaim("at_hash"),
  wrong_sub: {
    what: "is about a different user than userinfo",
    change: claims(() => ({ sub: "someone-else" })),
  },
  without_iss: withoutClaim("iss"),
  without_sub: withoutClaim("sub"),
  without_aud: withoutClaim("aud"),
  without_exp: withoutClaim("exp"),
  without_iat: withoutClaim("iat"),
  without_kid: {
    what: "does not name its key: its header has no kid",
    change: ({ header: { kid: _, ...header }, claims }) => ({ header, claims }),
  },
  aud_in_array: {
    what: "has its one audience in an array",
    change: claims(({ claims }) => ({ aud: [claims.aud].flat() })),
  },
  second_aud: {
    what: "is for a second audience as well, and has no azp",
    change: ({ header, claims: { azp: _, ...claims } }) => ({
      header,
      claims: { ...claims, aud: withSecondAudience(claims.aud) },
    }),
  },
  second_aud_with_azp: {
    what: "is for a second audience as well, and its azp names the client",
    change: claims(({ claims }) => ({
      aud: withSecondAudience(claims.aud),
      azp: [claims.aud].flat()[0],
    })),
  },
  aggregated_claims: {
    what: "has a claim that another issuer signed, in _claim_names and _claim_sources",
    change: async ({ header, claims }) => ({
      header,
      claims: { ...claims, ...await aggregatedClaims(claims.sub) },
    }),
  },
};

function withSecondAudience(aud: unknown): unknown[] {
  return [aud, "someone-else"].flat();
}
