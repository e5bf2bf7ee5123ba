import { logoutTokenVariants } from "../../backchannel_logout/drill.ts";
import type { FaultName } from "../../faults/catalogue.ts";
import { logoutVariants } from "../../logout/drill.ts";
import { accept, type DrillVariant, either, refuse } from "./drill_variant.ts";

/** The requests of the application show whether this attack works, even if the login fails. */
export const audienceInjection: FaultName = "metadata.foreign_token_endpoint";

/** A login that one session begins, and another one completes. */
export const sessionFixation: FaultName = "callback.fixated_session";

/** What can be wrong or unusual with the metadata and the authorization response. */
export const responseVariants: readonly DrillVariant[] = [
  ...refuse("rule", "metadataIssuer", ["metadata.wrong_issuer"]),
  ...accept("rule", "metadataMembers", ["metadata.mtls_endpoint_aliases"]),
  // Where PKCE or a nonce ties the login to the browser, the drill makes it advice.
  ...refuse("attack", "csrf", ["callback.wrong_state", "callback.without_state"]),
  // The right one comes first: a client that reads it, and no other, compares what it must.
  ...either("parameterOnce", ["callback.doubled_state", "callback.doubled_iss"]),
  // A client of one server has no other to mix it up with: the drill knows where it has several.
  ...refuse("note", "mixUp", [
    "callback.wrong_iss",
    "callback.without_iss",
    "callback.iss_with_slash",
  ]),
  // No rule is about both, and a client ignores a parameter that it does not expect.
  ...either("denied", ["callback.error_and_code"]),
  ...refuse("attack", "denied", ["callback.denied"]),
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
  ]),
];

/** What can be wrong or unusual with the token response and userinfo. */
export const tokenVariants: readonly DrillVariant[] = [
  ...refuse("advice", "tokenType", ["token.wrong_token_type"], { needsUserinfo: true }),
  ...accept("rule", "tokenTypeCase", ["token.token_type_in_other_case"]),
  ...refuse("rule", "tokenResponse", ["token.malformed_json"]),
  ...accept("rule", "tokenLifetime", ["token.without_expires_in"]),
  ...accept("rule", "tokenScope", ["token.without_scope"]),
  // For a client without PKCE, the drill makes it a rule: its only protection was in the ID token.
  ...refuse("advice", "tokenIdToken", ["token.without_id_token"]),
  ...refuse("rule", "dpopType", ["token.bearer_for_dpop"]),
  // No rule refuses the login: its pages show whether the claims are used.
  ...refuse("rule", "userinfoSub", ["userinfo.without_sub", "userinfo.wrong_sub"], {
    shows: "wrong",
  }),
  ...refuse("rule", "signedIss", ["userinfo.wrong_iss"]),
  ...refuse("rule", "signedAud", ["userinfo.wrong_aud"]),
  ...refuse("rule", "signedAlg", ["userinfo.alg_none"]),
  // TLS may vouch for the response in place of its signature.
  ...refuse("advice", "userinfoSignature", ["userinfo.foreign_signature"], { needsKeys: true }),
  ...accept("rule", "userinfoClaims", [
    "userinfo.aggregated_claims",
    "userinfo.distributed_claims",
  ]),
];

/** What can be wrong or unusual with the ID token of a login. */
export const idTokenVariants: readonly DrillVariant[] = [
  ...refuse("rule", "idTokenIss", ["id_token.wrong_iss"]),
  ...refuse("rule", "idTokenAud", ["id_token.wrong_aud"]),
  // Which other audiences it trusts is the decision of the client.
  ...refuse("note", "idTokenAzp", ["id_token.wrong_azp"]),
  ...refuse("note", "idTokenAud", ["id_token.second_aud"]),
  ...either("idTokenAzp", ["id_token.second_aud_with_azp"]),
  ...accept("rule", "audArray", ["id_token.aud_in_array"]),
  ...refuse("rule", "idTokenExp", ["id_token.expired"]),
  ...either("idTokenIat", ["id_token.issued_in_future"]),
  // From the token endpoint, TLS may vouch for an ID token in place of its signature. openid-client,
  // for one, still expects RS256 in its header.
  ...refuse("rule", "idTokenSignature", [
    "id_token.alg_none",
    "id_token.hs256_with_public_key",
  ], { needsKeys: true, showsInHeader: true }),
  ...refuse("rule", "idTokenSignature", ["id_token.foreign_signature"], { needsKeys: true }),
  // A kid is a hint: a client may try each key.
  ...either("kidHint", ["id_token.unknown_kid"]),
  ...either("kidInSet", ["id_token.without_kid", "jwks.several_without_kid"]),
  ...accept("advice", "kidInSet", ["jwks.single_without_kid"], { needsKeys: true }),
  ...refuse("rule", "idTokenNonce", ["id_token.wrong_nonce", "id_token.without_nonce"]),
  ...refuse("rule", "idTokenIss", ["id_token.without_iss"]),
  // No step of the validation is about it.
  ...refuse("note", "idTokenSub", ["id_token.without_sub"]),
  ...refuse("rule", "idTokenAud", ["id_token.without_aud"]),
  ...refuse("rule", "idTokenExp", ["id_token.without_exp"]),
  ...either("atHash", ["id_token.wrong_at_hash"]),
  ...accept("rule", "noAtHash", ["id_token.without_at_hash"]),
  ...accept("rule", "idTokenClaims", ["id_token.aggregated_claims"]),
  // Only userinfo shows that this ID token is about someone else.
  ...refuse("rule", "userinfoSub", ["id_token.wrong_sub"], { needsUserinfo: true, shows: "right" }),
  ...refuse("advice", "idTokenAzp", ["id_token.foreign_azp"]),
  ...refuse("advice", "authTime", ["id_token.old_auth_time"]),
  // An application that verifies no signature reads no header either.
  ...refuse("rule", "idTokenSignature", [
    "id_token.with_jwk",
    "id_token.with_jku",
    "id_token.with_x5c",
  ], { needsKeys: true }),
  ...refuse("advice", "idTokenAlg", ["id_token.hs256_with_secret"], {
    needsKeys: true,
    showsInHeader: true,
  }),
];

/** The attacks of the update of the best current practice, by what clients must do already. */
export const newAttackVariants: readonly DrillVariant[] = [
  // A draft alone forbids the URL of the token endpoint, which OpenID Connect Core names.
  ...refuse("advice", "assertionAudience", [audienceInjection]),
  ...refuse("attack", "redirectUri", ["callback.other_redirect_uri"]),
  ...refuse("attack", "binding", [sessionFixation]),
];

const afterRefresh = { after: "refresh" } as const;

/** What can be wrong or unusual after a login: when tokens are refreshed, and at a sign-out. */
export const sessionVariants: readonly DrillVariant[] = [
  ...refuse("rule", "refreshedIss", ["refresh.wrong_iss"], afterRefresh),
  ...refuse("rule", "refreshedSub", ["refresh.wrong_sub"], afterRefresh),
  ...refuse("rule", "refreshedAud", ["refresh.wrong_aud"], afterRefresh),
  ...either("refreshedIat", ["refresh.old_iat"], afterRefresh),
  ...accept("rule", "refreshReplaced", ["refresh.not_rotated"], afterRefresh),
  // No specification ties the session of an application to its tokens.
  ...refuse("advice", "tokenErrors", ["refresh.invalid_grant"], afterRefresh),
  ...logoutVariants,
  ...logoutTokenVariants,
];

/** A client that registered itself, and that the server no longer knows. */
export const forgottenClient: FaultName = "register.forgotten";

const recovers = { recovers: true } as const;
const once = { recovers: true, times: 1 } as const;

/** What breaks applications without an attack: bad moments of an honest server, so no rule. */
export const productionVariants: readonly DrillVariant[] = [
  ...accept("advice", "binding", ["token.held"], { twice: true }),
  ...accept("advice", "tokenErrors", ["token.lost"], once),
  ...accept("advice", "tokenErrors", [forgottenClient], recovers),
  ...accept("advice", "refreshReplaced", ["refresh.held"], { after: "refresh", twice: true }),
  ...accept("advice", "tokenErrors", ["refresh.lost"], { ...once, after: "refresh" }),
];
