import type { FoldRule } from "../drill/fold.ts";

/** Mistakes of APIs that more than one check shows; what says more comes later. */
export const apiFoldRules: readonly FoldRule[] = [
  { found: ["wrong_audience"], explains: ["id_token", "wrong_type"] },
  { found: ["id_token"], explains: ["wrong_type", "no_scope"] },
  { found: ["other_user"], explains: ["client_token"] },
  { found: ["small_scope"], explains: ["no_scope"] },
  { found: ["server_error"], explains: ["hostile_kid", "large_token"] },
  { found: ["challenge"], explains: ["scope_response"] },
  { found: ["challenge_syntax"], explains: ["scope_response"] },
  {
    found: ["unknown_token"],
    explains: [
      ...["expired", "not_yet_valid", "wrong_audience", "id_token", "no_scope", "small_scope"],
      "revoked_opaque",
    ],
  },
  {
    found: ["foreign_key"],
    explains: [
      "alg_none",
      "hs256_public_key",
      "header_key",
      "unknown_crit",
      "hostile_kid",
      "malformed",
    ],
  },
  {
    found: ["wrong_issuer", "wrong_audience", "expired"],
    explains: ["not_yet_valid"],
    title: "Does not check the claims of a token: iss, aud and exp",
    fix:
      "Pass your issuer and audience to the library that verifies the token, and let it check 'exp'.",
  },
  {
    found: ["foreign_key", "wrong_issuer", "wrong_audience", "expired"],
    title: "Decodes a token, and does not validate it",
    fix:
      "Verify signature, iss, aud and exp with one call of a library, such as jwtVerify of jose.",
  },
  {
    found: ["dpop_other_key", "dpop_other_method", "dpop_other_url"],
    explains: ["dpop_other_token", "dpop_replay"],
    title: "Does not validate a DPoP proof",
  },
  { found: ["no_token"], explains: ["*"] },
];
