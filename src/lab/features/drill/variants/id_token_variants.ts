import type { DrillVariant } from "./drill_variant.ts";

const validation = "OpenID Connect Core, section 3.1.3.7";
const members = "OpenID Connect Core, section 2";
const keySelection = "OpenID Connect Core, section 10.1";

/** What can be wrong or unusual with the ID token of a login. */
export const idTokenVariants: readonly DrillVariant[] = [
  { fault: "id_token.wrong_iss", expectation: "refuse", see: validation },
  { fault: "id_token.wrong_aud", expectation: "refuse", see: validation },
  { fault: "id_token.wrong_azp", expectation: "refuse", see: validation },
  { fault: "id_token.second_aud", expectation: "refuse", see: validation },
  // It is up to the client which other audience it trusts.
  { fault: "id_token.second_aud_with_azp", expectation: "either", see: validation },
  { fault: "id_token.aud_in_array", expectation: "accept", see: members },
  { fault: "id_token.expired", expectation: "refuse", see: validation },
  // "The acceptable range is Client specific."
  { fault: "id_token.issued_in_future", expectation: "either", see: validation },
  { fault: "id_token.alg_none", expectation: "refuse", see: validation },
  // From the token endpoint, TLS may vouch for an ID token in place of its signature.
  { fault: "id_token.foreign_signature", expectation: "refuse", see: validation, needsKeys: true },
  {
    fault: "id_token.hs256_with_public_key",
    expectation: "refuse",
    see: validation,
    needsKeys: true,
    // openid-client, for one, expects RS256, though TLS vouches for the signature.
    showsInHeader: true,
  },
  // A kid is a hint: a client may try each key.
  { fault: "id_token.unknown_kid", expectation: "either", see: "RFC 7515, section 4.1.4" },
  { fault: "id_token.without_kid", expectation: "either", see: keySelection },
  { fault: "jwks.several_without_kid", expectation: "either", see: keySelection },
  {
    fault: "jwks.single_without_kid",
    expectation: "accept",
    see: keySelection,
    needsKeys: true,
  },
  { fault: "id_token.wrong_nonce", expectation: "refuse", see: validation },
  { fault: "id_token.without_nonce", expectation: "refuse", see: validation },
  { fault: "id_token.without_iss", expectation: "refuse", see: members },
  { fault: "id_token.without_sub", expectation: "refuse", see: members },
  { fault: "id_token.without_aud", expectation: "refuse", see: members },
  { fault: "id_token.without_exp", expectation: "refuse", see: members },
  { fault: "id_token.without_iat", expectation: "refuse", see: members },
  // "The Client MAY use it to validate the Access Token."
  {
    fault: "id_token.wrong_at_hash",
    expectation: "either",
    see: "OpenID Connect Core, section 3.1.3.8",
  },
  {
    fault: "id_token.without_at_hash",
    expectation: "accept",
    see: "OpenID Connect Core, section 3.1.3.6",
  },
  {
    fault: "id_token.aggregated_claims",
    expectation: "accept",
    see: "OpenID Connect Core, section 5.6.2",
  },
  // Only userinfo shows that this ID token is about someone else.
  {
    fault: "id_token.wrong_sub",
    expectation: "refuse",
    see: "OpenID Connect Core, section 5.3.2",
    needsUserinfo: true,
  },
];
