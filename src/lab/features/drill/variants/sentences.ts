import type { Basis } from "../../../findings/finding.ts";

const validation = "OpenID Connect Core, section 3.1.3.7";
const refreshed = "OpenID Connect Core, section 12.2";

/** Returns sentences of specifications that bind clients, by names for what they are about. */
function ofClients<Name extends string>(
  sentences: Readonly<Record<Name, readonly [see: string, why: string]>>,
): Readonly<Record<Name, Basis>> {
  const entries = Object.entries<readonly [string, string]>(sentences)
    .map(([name, [see, why]]) => [name, { see, why, binds: "client" }]);
  return Object.fromEntries(entries);
}

/** The sentences that decide about metadata and authorization responses. */
export const ofResponses = ofClients({
  issuer: [
    "RFC 8414, section 3.3",
    "If these values are not identical, the data contained in the response MUST NOT be used.",
  ],
  moreMetadata: [
    "OpenID Connect Discovery, section 4.2",
    "Other Claims MAY also be returned.",
  ],
  csrf: [
    "RFC 9700, section 2.1",
    "Clients MUST prevent Cross-Site Request Forgery (CSRF). … Otherwise, one-time use CSRF tokens " +
    "carried in the state parameter that are securely bound to the user agent MUST be used.",
  ],
  injection: [
    "RFC 9700, section 2.1.1",
    "Clients MUST prevent authorization code injection attacks and misuse of authorization codes.",
  ],
  binding: [
    "RFC 9700, section 2.1.1",
    "The PKCE challenge or OpenID Connect nonce MUST be transaction-specific and securely bound to " +
    "the client and the user agent in which the transaction was started.",
  ],
  mixUp: [
    "RFC 9700, section 2.1",
    "When an OAuth client can interact with more than one authorization server, a defense against " +
    "mix-up attacks is REQUIRED.",
  ],
  redirectUri: [
    "RFC 9700, section 4.4.2.2",
    "Clients MUST check that the authorization response was received from the correct issuer by " +
    "comparing the distinct redirection URI for the issuer to the URI where the authorization " +
    "response was received on.",
  ],
  once: [
    "RFC 6749, section 3.1",
    "Request and response parameters MUST NOT be included more than once.",
  ],
  denied: [
    "RFC 6749, section 4.1.2.1",
    "If the resource owner denies the access request … the authorization server informs the client " +
    "by adding the following parameters: error …",
  ],
  jarm: [
    "JARM, section 2.4",
    "If the check fails, the client MUST abort processing and refuse the response.",
  ],
  audience: [
    "draft-ietf-oauth-rfc7523bis, section 4",
    "The aud value … MUST use the issuer identifier of the authorization server as its sole value.",
  ],
});

/** The sentences that decide about token responses and userinfo. */
export const ofTokens = ofClients({
  response: [
    "OpenID Connect Core, section 3.1.3.5",
    "The Client MUST validate the Token Response … Follow the validation rules in RFC 6749.",
  ],
  type: [
    "RFC 6749, section 7.1",
    "The client MUST NOT use an access token if it does not understand the token type.",
  ],
  caseOfType: ["RFC 6749, section 5.1", "token_type: REQUIRED. … Value is case insensitive."],
  lifetime: [
    "RFC 6749, section 5.1",
    "expires_in: RECOMMENDED. … If omitted, the authorization server SHOULD provide the expiration " +
    "time via other means.",
  ],
  scope: [
    "RFC 6749, section 5.1",
    "scope: OPTIONAL, if identical to the scope requested by the client.",
  ],
  idToken: [
    "OpenID Connect Core, section 3.1.3.5",
    "The Client MUST validate the Token Response … Follow the ID Token validation rules.",
  ],
  subject: [
    "OpenID Connect Core, section 5.3.2",
    "The sub Claim in the UserInfo Response MUST be verified to exactly match the sub Claim in the " +
    "ID Token; if they do not match, the UserInfo Response values MUST NOT be used.",
  ],
  signedIssuer: [
    "RFC 8725, section 3.8",
    "When a JWT contains an “iss” (issuer) claim, the application MUST validate that the " +
    "cryptographic keys used for the cryptographic operations in the JWT belong to the issuer.",
  ],
  signedAudience: [
    "RFC 7519, section 4.1.3",
    "If the principal processing the claim does not identify itself with a value in the “aud” claim " +
    "when this claim is present, then the JWT MUST be rejected.",
  ],
  algorithm: [
    "RFC 8725, section 3.1",
    "Libraries MUST enable the caller to specify a supported set of algorithms and MUST NOT use any " +
    "other algorithms when performing cryptographic operations.",
  ],
  signature: [
    "OpenID Connect Core, section 5.3.4",
    "If the response was signed, the Client SHOULD validate the signature according to JWS.",
  ],
  otherClaims: [
    "OpenID Connect Core, section 5.6.2",
    "Support for Aggregated Claims and Distributed Claims is OPTIONAL.",
  ],
  replaced: [
    "RFC 6749, section 6",
    "The authorization server MAY issue a new refresh token, in which case the client MUST discard " +
    "the old refresh token and replace it with the new refresh token.",
  ],
  errors: [
    "RFC 6749, section 5.2",
    "invalid_grant: The provided authorization grant … or refresh token is invalid, expired, revoked …",
  ],
});

/** The sentences that decide about ID tokens and logout tokens. */
export const ofIdTokens = ofClients({
  iss: [
    validation,
    "The Issuer Identifier for the OpenID Provider … MUST exactly match the value of the iss " +
    "(issuer) Claim.",
  ],
  aud: [
    validation,
    "The ID Token MUST be rejected if the ID Token does not list the Client as a valid audience, or " +
    "if it contains additional audiences not trusted by the Client.",
  ],
  azp: [
    validation,
    "This validation MAY include that when an azp (authorized party) Claim is present, the Client " +
    "SHOULD verify that its client_id is the Claim Value.",
  ],
  oneAud: [
    "OpenID Connect Core, section 2",
    "In the general case, the aud value is an array of case-sensitive strings.",
  ],
  exp: [validation, "The current time MUST be before the time represented by the exp Claim."],
  iat: [
    validation,
    "The iat Claim can be used to reject tokens that were issued too far away from the current time " +
    "… The acceptable range is Client specific.",
  ],
  signature: [
    validation,
    "The Client MUST validate the signature of all other ID Tokens according to JWS … The Client " +
    "MUST use the keys provided by the Issuer.",
  ],
  kid: [
    "RFC 7515, section 4.1.4",
    "The “kid” (key ID) Header Parameter is a hint indicating which key was used to secure the JWS.",
  ],
  keys: [
    "OpenID Connect Core, section 10.1",
    "If there are multiple keys in the referenced JWK Set document, a kid value MUST be provided in " +
    "the JOSE Header.",
  ],
  nonce: [
    validation,
    "If a nonce value was sent in the Authentication Request, a nonce Claim MUST be present and its " +
    "value checked to verify that it is the same value as the one that was sent.",
  ],
  sub: [
    "OpenID Connect Core, section 2",
    "sub: REQUIRED. Subject Identifier. A locally unique and never reassigned identifier within the " +
    "Issuer for the End-User, which is intended to be consumed by the Client.",
  ],
  atHash: [
    "OpenID Connect Core, section 3.1.3.8",
    "The Client MAY use it to validate the Access Token.",
  ],
  noAtHash: ["OpenID Connect Core, section 3.1.3.6", "at_hash: OPTIONAL. Access Token hash value."],
  otherClaims: [
    "OpenID Connect Core, section 2",
    "ID Tokens MAY contain other Claims. Any Claims used that are not understood MUST be ignored.",
  ],
  refreshedIss: [
    refreshed,
    "Its iss Claim Value MUST be the same as in the ID Token issued when the original " +
    "authentication occurred.",
  ],
  refreshedSub: [
    refreshed,
    "Its sub Claim Value MUST be the same as in the ID Token issued when the original " +
    "authentication occurred.",
  ],
  refreshedAud: [
    refreshed,
    "Its aud Claim Value MUST include the value in the ID Token issued when the original " +
    "authentication occurred.",
  ],
  logout: [
    "OpenID Connect Back-Channel Logout, section 2.6",
    "Upon receiving a logout request at the back-channel logout URI, the RP MUST validate the " +
    "Logout Token.",
  ],
  jti: [
    "OpenID Connect Back-Channel Logout, section 2.6",
    "Optionally verify that another Logout Token with the same jti value has not been recently " +
    "received.",
  ],
  encrypted: [
    validation,
    "If encryption was negotiated with the OP at Registration time and the ID Token is not " +
    "encrypted, the RP SHOULD reject it.",
  ],
  nested: [
    "OpenID Connect Core, section 10.2",
    "If both signing and encryption are performed, it MUST be signed and then encrypted, with the " +
    "result being a Nested JWT.",
  ],
});

/** What the specifications require of the server alone: an application may take it or leave it. */
export const ofServers: Readonly<Record<"refreshedIat", Basis>> = {
  refreshedIat: {
    see: refreshed,
    why: "Its iat Claim MUST represent the time that the new ID Token is issued.",
    binds: "server",
  },
};
