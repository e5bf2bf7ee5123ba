import type { FaultName } from "../../faults/catalogue.ts";
import type { DrillVariant } from "./drill_variant.ts";

const updateOfBcp = "draft-ietf-oauth-security-topics-update-03";
const jarmValidation = "JARM, section 2.4";
const userinfoResponse = "OpenID Connect Core, section 5.3.2";

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
  { fault: "callback.doubled_state", expectation: "refuse", see: "OAuth 2.1, section 3.1" },
  { fault: "callback.wrong_iss", expectation: "refuse", see: "RFC 9207, section 2.4" },
  { fault: "callback.without_iss", expectation: "refuse", see: "RFC 9207, section 2.4" },
  { fault: "callback.doubled_iss", expectation: "refuse", see: "RFC 9207, section 2.4" },
  { fault: "callback.iss_with_slash", expectation: "refuse", see: "RFC 9207, section 2.4" },
  { fault: "callback.error_and_code", expectation: "refuse", see: "OAuth 2.1, section 4.1.2.1" },
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
