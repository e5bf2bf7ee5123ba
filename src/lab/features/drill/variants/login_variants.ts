import { logoutTokenVariants } from "../../backchannel_logout/drill.ts";
import type { FaultName } from "../../faults/catalogue.ts";
import { logoutVariants } from "../../logout/drill.ts";
import { type DrillVariant, variantsAfter } from "./drill_variant.ts";

const updateOfBcp = "draft-ietf-oauth-security-topics-update-03";
const jarmValidation = "JARM, section 2.4";
const userinfoResponse = "OpenID Connect Core, section 5.3.2";
const validation = "OpenID Connect Core, section 3.1.3.7";
const members = "OpenID Connect Core, section 2";
const keySelection = "OpenID Connect Core, section 10.1";
const refreshed = "OpenID Connect Core, section 12.2";

/** The requests of the application show whether this attack works, even if the login fails. */
export const audienceInjection: FaultName = "metadata.foreign_token_endpoint";

/** A login that one session begins, and another one completes. */
export const sessionFixation: FaultName = "callback.fixated_session";

/** What can be wrong or unusual with the metadata and the authorization response. */
export const responseVariants: readonly DrillVariant[] = [
  { fault: "metadata.wrong_issuer", expectation: "refuse", see: "RFC 8414, section 3.3" },
  { fault: "metadata.mtls_endpoint_aliases", expectation: "accept", see: "RFC 8705, section 5" },
  { fault: "callback.wrong_state", expectation: "refuse", see: "RFC 9700, section 4.7.1" },
  { fault: "callback.without_state", expectation: "refuse", see: "RFC 9700, section 4.7.1" },
  // The right one comes first: a client that reads it, and no other, compares what it must.
  { fault: "callback.doubled_state", expectation: "either", see: "OAuth 2.1, section 3.1" },
  { fault: "callback.wrong_iss", expectation: "refuse", see: "RFC 9207, section 2.4" },
  { fault: "callback.without_iss", expectation: "refuse", see: "RFC 9207, section 2.4" },
  { fault: "callback.doubled_iss", expectation: "either", see: "RFC 9207, section 2.4" },
  { fault: "callback.iss_with_slash", expectation: "refuse", see: "RFC 9207, section 2.4" },
  // No rule is about both, and a client ignores a parameter that it does not expect.
  { fault: "callback.error_and_code", expectation: "either", see: "OAuth 2.1, section 4.1.2" },
  { fault: "callback.denied", expectation: "refuse", see: "OAuth 2.1, section 4.1.2.1" },
  { fault: "callback.foreign_code", expectation: "refuse", see: "OAuth 2.1, section 4.1.3" },
  { fault: "jarm.wrong_iss", expectation: "refuse", see: jarmValidation },
  { fault: "jarm.wrong_aud", expectation: "refuse", see: jarmValidation },
  { fault: "jarm.expired", expectation: "refuse", see: jarmValidation },
  { fault: "jarm.without_iss", expectation: "refuse", see: jarmValidation },
  { fault: "jarm.without_aud", expectation: "refuse", see: jarmValidation },
  { fault: "jarm.without_exp", expectation: "refuse", see: jarmValidation },
  { fault: "jarm.alg_none", expectation: "refuse", see: jarmValidation },
  { fault: "jarm.foreign_signature", expectation: "refuse", see: jarmValidation },
];

/** What can be wrong or unusual with the token response and userinfo. */
export const tokenVariants: readonly DrillVariant[] = [
  { fault: "token.without_token_type", expectation: "refuse", see: "OAuth 2.1, section 3.2.3" },
  { fault: "token.wrong_token_type", expectation: "refuse", see: "OAuth 2.1, section 1.4.2" },
  {
    fault: "token.token_type_in_other_case",
    expectation: "accept",
    see: "OAuth 2.1, section 3.2.3",
  },
  { fault: "token.malformed_json", expectation: "refuse", see: "OAuth 2.1, section 3.2.3" },
  { fault: "token.without_access_token", expectation: "refuse", see: "OAuth 2.1, section 3.2.3" },
  { fault: "token.without_expires_in", expectation: "accept", see: "OAuth 2.1, section 3.2.3" },
  { fault: "token.without_scope", expectation: "accept", see: "OAuth 2.1, section 3.2.3" },
  {
    fault: "token.without_id_token",
    expectation: "refuse",
    see: "OpenID Connect Core, section 3.1.3.3",
  },
  { fault: "userinfo.without_sub", expectation: "refuse", see: userinfoResponse },
  { fault: "userinfo.wrong_sub", expectation: "refuse", see: userinfoResponse },
  { fault: "userinfo.wrong_iss", expectation: "refuse", see: "RFC 8725, section 3.8" },
  { fault: "userinfo.wrong_aud", expectation: "refuse", see: "RFC 7519, section 4.1.3" },
  { fault: "userinfo.alg_none", expectation: "refuse", see: "RFC 8725, section 3.1" },
  // TLS may vouch for the response in place of its signature.
  {
    fault: "userinfo.foreign_signature",
    expectation: "refuse",
    see: "OpenID Connect Core, section 5.3.4",
    needsKeys: true,
  },
  {
    fault: "userinfo.aggregated_claims",
    expectation: "accept",
    see: "OpenID Connect Core, section 5.6.2",
  },
  {
    fault: "userinfo.distributed_claims",
    expectation: "accept",
    see: "OpenID Connect Core, section 5.6.2",
  },
];

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
  // From the token endpoint, TLS may vouch for an ID token in place of its signature.
  {
    fault: "id_token.alg_none",
    expectation: "refuse",
    see: validation,
    needsKeys: true,
    showsInHeader: true,
  },
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

/** The attacks of the update of the best current practice. */
export const newAttackVariants: readonly DrillVariant[] = [
  { fault: audienceInjection, expectation: "refuse", see: `${updateOfBcp}, section 2.1` },
  {
    fault: "callback.other_redirect_uri",
    expectation: "refuse",
    see: `${updateOfBcp}, section 2.2`,
  },
  { fault: sessionFixation, expectation: "refuse", see: `${updateOfBcp}, section 2.3` },
];

/** What can be wrong or unusual after a login: when tokens are refreshed, and at a sign-out. */
export const sessionVariants: readonly DrillVariant[] = [
  ...variantsAfter("refresh", [
    { fault: "refresh.wrong_iss", expectation: "refuse", see: refreshed },
    { fault: "refresh.wrong_sub", expectation: "refuse", see: refreshed },
    { fault: "refresh.wrong_aud", expectation: "refuse", see: refreshed },
    // A requirement on the server, which a client need not check.
    { fault: "refresh.old_iat", expectation: "either", see: refreshed },
    { fault: "refresh.not_rotated", expectation: "accept", see: "OAuth 2.1, section 4.3.2" },
  ]),
  ...logoutVariants,
  ...logoutTokenVariants,
];
