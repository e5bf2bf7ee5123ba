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
  byHeader,
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
const bySignedHeader = { reads: byHeader, learns: "verifies" } as const;
const doubled = { requirement: "callback.doubled_parameter" } as const;
const validForm = { requirement: "token.valid_forms" } as const;

/** What can be wrong or unusual with the metadata and the authorization response. */
export const responseVariants: readonly DrillRow[] = [
  ...refuse("rule", "metadataIssuer", ["metadata.wrong_issuer"], { reads: byAuthorization }),
  ...accept("rule", "metadataMembers", ["metadata.mtls_endpoint_aliases"], validForm),
  // Where PKCE or a nonce ties the login to the browser, the drill makes it advice.
  ...refuse("attack", "csrf", ["callback.wrong_state", "callback.without_state"]),
  // The right one comes first: a client that reads it, and no other, compares what it must.
  ...either("parameterOnce", ["callback.doubled_state", "callback.doubled_iss"], doubled),
  // A client of one server has no other to mix it up with: the drill knows where it has several.
  ...refuse("note", "mixUp", [
    "callback.wrong_iss",
    "callback.without_iss",
    "callback.iss_with_slash",
  ]),
  // No rule is about both, and a client ignores a parameter that it does not expect.
  ...either("denied", ["callback.error_and_code"], { requirement: "callback.denied" }),
  ...refuse("attack", "denied", ["callback.denied"], { reads: byOpenPage }),
  ...refuse("attack", "injection", ["callback.foreign_code"]),
  ...refuse("attack", "jarm", [
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
  ...refuse("advice", "tokenType", ["token.wrong_token_type"], { ...ofTokens, reads: byUserinfo }),
  ...accept("rule", "tokenTypeCase", ["token.token_type_in_other_case"], validForm),
  ...refuse("rule", "tokenResponse", ["token.malformed_json"]),
  ...accept("rule", "tokenLifetime", ["token.without_expires_in"], validForm),
  ...accept("rule", "tokenScope", ["token.without_scope"], validForm),
  // For a client without PKCE, the drill makes it a rule: its only protection was in the ID token.
  ...refuse("advice", "tokenIdToken", ["token.without_id_token"], ofTokens),
  ...refuse("rule", "dpopType", ["token.bearer_for_dpop"], { ...ofTokens, reads: byBearer }),
  // No rule refuses the login: its pages show whether the claims are used.
  ...refuse("rule", "userinfoSub", ["userinfo.without_sub", "userinfo.wrong_sub"], {
    ...ofUserinfo,
    reads: byWrongUser,
  }),
  ...refuse("rule", "signedIss", ["userinfo.wrong_iss"], signedUserinfo),
  ...refuse("rule", "signedAud", ["userinfo.wrong_aud"], signedUserinfo),
  ...refuse("rule", "signedAlg", ["userinfo.alg_none"], signedUserinfo),
  // TLS may vouch for the response in place of its signature.
  ...refuse("advice", "userinfoSignature", ["userinfo.foreign_signature"], {
    ...bySigner,
    ...signedUserinfo,
  }),
  ...accept("rule", "userinfoClaims", [
    "userinfo.aggregated_claims",
    "userinfo.distributed_claims",
  ], { requirement: "claim_fetch" }),
];

const secondAud = { requirement: "id_token.second_aud" } as const;

/** What can be wrong or unusual with the ID token of a login. */
export const idTokenVariants: readonly DrillRow[] = [
  ...refuse("rule", "idTokenIss", ["id_token.wrong_iss", "id_token.without_iss"]),
  ...refuse("rule", "idTokenAud", ["id_token.wrong_aud", "id_token.without_aud"]),
  // Which other audiences it trusts is the decision of the client.
  ...refuse("note", "idTokenAzp", ["id_token.wrong_azp"], secondAud),
  ...refuse("note", "idTokenAud", ["id_token.second_aud"], secondAud),
  ...either("idTokenAzp", ["id_token.second_aud_with_azp"], secondAud),
  ...accept("rule", "audArray", ["id_token.aud_in_array"], validForm),
  ...refuse("rule", "idTokenExp", ["id_token.expired", "id_token.without_exp"]),
  ...either("idTokenIat", ["id_token.issued_in_future"], { requirement: "id_token.expired" }),
  // From the token endpoint, TLS may vouch for an ID token in place of its signature. openid-client,
  // for one, still expects RS256 in its header.
  ...refuse("rule", "idTokenSignature", [
    "id_token.alg_none",
    "id_token.hs256_with_public_key",
  ], bySignedHeader),
  ...refuse("rule", "idTokenSignature", ["id_token.foreign_signature"], bySigner),
  // A kid is a hint: a client may try each key.
  ...either("kidHint", ["id_token.unknown_kid"], { requirement: "id_token.foreign_signature" }),
  ...either("kidInSet", ["id_token.without_kid", "jwks.several_without_kid"], validForm),
  ...accept("advice", "kidInSet", ["jwks.single_without_kid"], {
    ...validForm,
    reads: byFetchedKeys,
  }),
  ...refuse("rule", "idTokenNonce", ["id_token.wrong_nonce", "id_token.without_nonce"], {
    reads: byUse,
  }),
  // No step of the validation is about it.
  ...refuse("note", "idTokenSub", ["id_token.without_sub"], {
    reads: byOpenPage,
    requirement: "account_without_sub",
  }),
  ...either("atHash", ["id_token.wrong_at_hash"], { requirement: "id_token.wrong_c_hash" }),
  ...accept("rule", "noAtHash", ["id_token.without_at_hash"], validForm),
  ...accept("rule", "idTokenClaims", ["id_token.aggregated_claims"], {
    ...validForm,
    enlarges: true,
  }),
  // Only userinfo shows that this ID token is about someone else.
  ...refuse("rule", "userinfoSub", ["id_token.wrong_sub"], { ...ofUserinfo, reads: byRightUser }),
  ...refuse("advice", "idTokenAzp", ["id_token.foreign_azp"], secondAud),
  ...refuse("advice", "authTime", ["id_token.old_auth_time"], { reads: byMaxAge }),
  // An application that verifies no signature reads no header either.
  ...refuse("rule", "idTokenSignature", [
    "id_token.with_jwk",
    "id_token.with_jku",
    "id_token.with_x5c",
  ], bySigner),
  ...refuse("advice", "idTokenAlg", ["id_token.hs256_with_secret"], bySignedHeader),
];

/** The attacks of the update of the best current practice, by what clients must do already. */
export const newAttackVariants: readonly DrillRow[] = [
  // A draft alone forbids the URL of the token endpoint, which OpenID Connect Core names.
  ...refuse("advice", "assertionAudience", ["metadata.foreign_token_endpoint"], {
    reads: byAssertion,
  }),
  ...refuse("attack", "redirectUri", ["callback.other_redirect_uri"], {
    requirement: "other_issuer_callback",
  }),
  ...refuse("attack", "binding", [sessionFixation], { steps: signInTwice }),
];

const ofRefresh = { requirement: "refresh.wrong_sub" } as const;
const forged = { ...ofRefresh, steps: thenRefreshAndLook, reads: byRefreshedClaim } as const;

/** What can be wrong or unusual after a login, when tokens are refreshed. */
export const sessionVariants: readonly DrillRow[] = [
  ...refuse("rule", "refreshedIss", ["refresh.wrong_iss"], forged),
  ...refuse("rule", "refreshedSub", ["refresh.wrong_sub"], forged),
  ...refuse("rule", "refreshedAud", ["refresh.wrong_aud"], forged),
  ...either("refreshedIat", ["refresh.old_iat"], { ...ofRefresh, steps: thenRefreshOnce }),
  ...accept("rule", "refreshReplaced", ["refresh.not_rotated"], {
    requirement: "refresh.none_returned",
    steps: thenRefreshOnce,
  }),
  // No specification ties the session of an application to its tokens.
  ...refuse("advice", "tokenErrors", ["refresh.invalid_grant"], { steps: thenUseSession }),
];

/** A client that registered itself, and that the server no longer knows. */
export const forgottenClient: FaultName = "register.forgotten";

const ofProvider = { requirement: "provider_down" } as const;
const twice = { ...ofProvider, reads: byTwoRequests } as const;
const once = { ...ofProvider, reads: bySpent, times: 1 } as const;

/** What breaks applications without an attack: bad moments of an honest server, so no rule. */
export const productionVariants: readonly DrillRow[] = [
  ...accept("advice", "binding", ["token.held"], { ...twice, steps: inTwoTabs }),
  ...accept("advice", "tokenErrors", ["token.lost"], { ...once, steps: signInAgain }),
  ...accept("advice", "tokenErrors", [forgottenClient], {
    ...ofProvider,
    reads: byRepeats,
    steps: signInAgain,
  }),
  ...accept("advice", "refreshReplaced", ["refresh.held"], {
    ...twice,
    steps: thenRefreshInTwoTabs,
  }),
  ...accept("advice", "tokenErrors", ["refresh.lost"], { ...once, steps: thenRefreshAgain }),
];
