import type { FaultName } from "../../faults/catalogue.ts";
import {
  inTwoTabs,
  signInAgain,
  signInTwice,
  thenRefreshAgain,
  thenRefreshAndLook,
  thenRefreshInTwoTabs,
  thenRefreshOnce,
  thenUseSession,
} from "../login_steps.ts";
import {
  byAssertion,
  byAuthorization,
  byBearer,
  byFetchedKeys,
  byMaxAge,
  byOpenPage,
  byRefreshedClaim,
  byRepeats,
  byRightUser,
  bySignature,
  bySpent,
  byTwoRequests,
  byUse,
  byUserinfo,
  byWrongUser,
} from "./readers.ts";
import { accept, type DrillRow, either, refuse } from "./rows.ts";

/** A login that one session begins, and another one completes. */
export const sessionFixation: FaultName = "callback.fixated_session";

const bySigner = { reads: bySignature, learns: "verifies" } as const;
const doubled = { requirement: "callback.doubled_parameter" } as const;
const validForm = { requirement: "token.valid_forms" } as const;

/** What can be wrong or unusual with the metadata and the authorization response. */
export const responseVariants: readonly DrillRow[] = [
  ...refuse("must", "metadataIssuer", ["metadata.wrong_issuer"], { reads: byAuthorization }),
  ...accept("must", "metadataMembers", ["metadata.mtls_endpoint_aliases"], validForm),
  // PKCE or a nonce may tie the login to the browser as well.
  ...refuse("should", "csrf", ["callback.wrong_state", "callback.without_state"]),
  // The right one comes first: a client that reads it, and no other, compares what it must.
  ...either("parameterOnce", ["callback.doubled_state", "callback.doubled_iss"], doubled),
  // A client of one server has no other to mix it up with: the drill knows where it has several.
  ...refuse("may", "mixUp", [
    "callback.wrong_iss",
    "callback.without_iss",
    "callback.iss_with_slash",
  ]),
  // No rule is about both, and a client ignores a parameter that it does not expect.
  ...either("denied", ["callback.error_and_code"], { requirement: "callback.denied" }),
  ...refuse("must", "denied", ["callback.denied"], { reads: byOpenPage }),
  ...refuse("must", "injection", ["callback.foreign_code"]),
  ...refuse("must", "jarm", [
    "jarm.wrong_iss",
    "jarm.wrong_aud",
    "jarm.expired",
    "jarm.without_iss",
    "jarm.without_aud",
    "jarm.without_exp",
    "jarm.alg_none",
    "jarm.foreign_signature",
  ], { requirement: "jarm.*" }),
];

const ofTokens = { requirement: "token.malformed_json" } as const;
const ofUserinfo = { learns: "showsUserinfo", requirement: "userinfo.wrong_sub" } as const;
const signedUserinfo = { requirement: "userinfo.signed" } as const;

/** What can be wrong or unusual with the token response and userinfo. */
export const tokenVariants: readonly DrillRow[] = [
  ...refuse("may", "tokenType", ["token.wrong_token_type"], { ...ofTokens, reads: byUserinfo }),
  ...accept("must", "tokenTypeCase", ["token.token_type_in_other_case"], validForm),
  ...refuse("must", "tokenResponse", ["token.malformed_json"]),
  ...accept("must", "tokenLifetime", ["token.without_expires_in"], validForm),
  ...accept("must", "tokenScope", ["token.without_scope"], validForm),
  // Without PKCE, the only protection of the client was in the ID token.
  ...refuse("must", "tokenIdToken", ["token.without_id_token"], ofTokens),
  ...refuse("must", "dpopType", ["token.bearer_for_dpop"], { ...ofTokens, reads: byBearer }),
  // No rule refuses the login: its pages show whether the claims are used.
  ...refuse("must", "userinfoSub", ["userinfo.without_sub", "userinfo.wrong_sub"], {
    ...ofUserinfo,
    reads: byWrongUser,
  }),
  ...refuse("must", "signedIss", ["userinfo.wrong_iss"], signedUserinfo),
  ...refuse("must", "signedAud", ["userinfo.wrong_aud"], signedUserinfo),
  ...refuse("must", "signedAlg", ["userinfo.alg_none"], signedUserinfo),
  // TLS may vouch for the response in place of its signature.
  ...refuse("should", "userinfoSignature", ["userinfo.foreign_signature"], {
    ...bySigner,
    ...signedUserinfo,
  }),
  ...accept("must", "userinfoClaims", [
    "userinfo.aggregated_claims",
    "userinfo.distributed_claims",
  ], { requirement: "claim_fetch" }),
];

const secondAud = { requirement: "id_token.second_aud" } as const;

/** What can be wrong or unusual with the ID token of a login. */
export const idTokenVariants: readonly DrillRow[] = [
  ...refuse("must", "idTokenIss", ["id_token.wrong_iss", "id_token.without_iss"]),
  ...refuse("must", "idTokenAud", ["id_token.wrong_aud", "id_token.without_aud"]),
  ...refuse("must", "idTokenIss", [
    "id_token.containing_iss",
    "id_token.part_of_iss",
    "id_token.listed_iss",
  ], { requirement: "issuer_forms" }),
  ...refuse("must", "idTokenAud", ["id_token.containing_aud", "id_token.part_of_aud"], {
    requirement: "id_token.wrong_aud",
  }),
  // Which other audiences it trusts is the decision of the client.
  ...refuse("may", "idTokenAzp", ["id_token.wrong_azp"], secondAud),
  ...refuse("may", "idTokenAud", ["id_token.second_aud"], secondAud),
  ...either("idTokenAzp", ["id_token.second_aud_with_azp"], secondAud),
  ...accept("must", "audArray", ["id_token.aud_in_array"], validForm),
  ...refuse("must", "idTokenExp", ["id_token.expired", "id_token.without_exp"]),
  ...either("idTokenIat", ["id_token.issued_in_future"], { requirement: "id_token.expired" }),
  // From the token endpoint, TLS may vouch for an ID token in place of its signature. openid-client,
  // for one, still expects RS256 in its header.
  ...refuse("must", "idTokenSignature", [
    "id_token.alg_none",
    "id_token.hs256_with_public_key",
  ], bySigner),
  ...refuse("must", "idTokenSignature", ["id_token.foreign_signature"], bySigner),
  // A kid is a hint: a client may try each key.
  ...either("kidHint", ["id_token.unknown_kid"], { requirement: "id_token.foreign_signature" }),
  ...either("kidInSet", ["id_token.without_kid", "jwks.several_without_kid"], validForm),
  ...accept("should", "kidInSet", ["jwks.single_without_kid"], {
    ...validForm,
    reads: byFetchedKeys,
  }),
  ...refuse("must", "idTokenNonce", ["id_token.wrong_nonce", "id_token.without_nonce"], {
    reads: byUse,
  }),
  // No step of the validation is about it.
  ...refuse("may", "idTokenSub", ["id_token.without_sub"], {
    reads: byOpenPage,
    requirement: "account_without_sub",
  }),
  ...either("atHash", ["id_token.wrong_at_hash"], { requirement: "id_token.wrong_c_hash" }),
  ...accept("must", "noAtHash", ["id_token.without_at_hash"], validForm),
  ...accept("must", "idTokenClaims", ["id_token.aggregated_claims"], {
    ...validForm,
    enlarges: true,
  }),
  // Only userinfo shows that this ID token is about someone else.
  ...refuse("must", "userinfoSub", ["id_token.wrong_sub"], { ...ofUserinfo, reads: byRightUser }),
  ...refuse("may", "idTokenAzp", ["id_token.foreign_azp"], secondAud),
  ...refuse("should", "authTime", ["id_token.old_auth_time"], { reads: byMaxAge }),
  // An application that verifies no signature reads no header either.
  ...refuse("must", "idTokenSignature", [
    "id_token.with_jwk",
    "id_token.with_jku",
    "id_token.with_x5c",
  ], bySigner),
  ...refuse("may", "idTokenAlg", ["id_token.hs256_with_secret"], bySigner),
];

/** The attacks of the update of the best current practice, by what clients must do already. */
export const newAttackVariants: readonly DrillRow[] = [
  // A draft alone forbids the URL of the token endpoint, which OpenID Connect Core names.
  ...refuse("should", "assertionAudience", ["metadata.foreign_token_endpoint"], {
    reads: byAssertion,
  }),
  ...refuse("must", "redirectUri", ["callback.other_redirect_uri"], {
    requirement: "other_issuer_callback",
  }),
  ...refuse("must", "binding", [sessionFixation], { steps: signInTwice }),
];

const ofRefresh = { requirement: "refresh.wrong_sub" } as const;
const forged = { ...ofRefresh, steps: thenRefreshAndLook, reads: byRefreshedClaim } as const;

/** What can be wrong or unusual after a login, when tokens are refreshed. */
export const sessionVariants: readonly DrillRow[] = [
  // The section binds the server. Its reader knows where an application has used the ID token.
  ...refuse("may", "refreshedIss", ["refresh.wrong_iss"], forged),
  ...refuse("may", "refreshedSub", ["refresh.wrong_sub"], forged),
  ...refuse("may", "refreshedAud", ["refresh.wrong_aud"], forged),
  ...either("refreshedIat", ["refresh.old_iat"], { ...ofRefresh, steps: thenRefreshOnce }),
  ...accept("must", "refreshReplaced", ["refresh.not_rotated"], {
    requirement: "refresh.none_returned",
    steps: thenRefreshOnce,
  }),
  // No specification ties the session of an application to its tokens.
  ...refuse("should", "tokenErrors", ["refresh.invalid_grant"], { steps: thenUseSession }),
];

/** A client that registered itself, and that the server no longer knows. */
export const forgottenClient: FaultName = "register.forgotten";

const ofProvider = { requirement: "provider_down" } as const;
const twice = { ...ofProvider, reads: byTwoRequests } as const;
const once = { ...ofProvider, reads: bySpent, times: 1 } as const;

/** What breaks applications without an attack: bad moments of an honest server, so no rule. */
export const productionVariants: readonly DrillRow[] = [
  ...accept("should", "binding", ["token.held"], { ...twice, steps: inTwoTabs }),
  ...accept("should", "tokenErrors", ["token.lost"], { ...once, steps: signInAgain }),
  ...accept("should", "tokenErrors", [forgottenClient], {
    ...ofProvider,
    reads: byRepeats,
    steps: signInAgain,
  }),
  ...accept("should", "refreshReplaced", ["refresh.held"], {
    ...twice,
    steps: thenRefreshInTwoTabs,
  }),
  ...accept("should", "tokenErrors", ["refresh.lost"], { ...once, steps: thenRefreshAgain }),
];
