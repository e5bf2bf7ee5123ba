import { requiresParameter } from "./form_parameters.ts";
import { compared, ruleSet } from "./rule.ts";

const about = {
  see: "OAuth 2.1, section 3.2",
  parameter: "grant_type",
  error: "invalid_request",
} as const;

/** The grant type of devices without a browser or a keyboard (RFC 8628, section 3.4). */
export const deviceCodeGrantType = "urn:ietf:params:oauth:grant-type:device_code";

/**
 * The grant type of clients that ask the server to ask a user (OpenID Connect Client-Initiated
 * Backchannel Authentication, section 10.1).
 */
export const cibaGrantType = "urn:openid:params:grant-type:ciba";

/** The grant type that exchanges an assertion about a user for tokens (RFC 7523, section 2.1). */
export const jwtBearerGrantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/**
 * The grant type that trades a token for one with other targets or actors (RFC 8693, section 2.1).
 */
export const tokenExchangeGrantType = "urn:ietf:params:oauth:grant-type:token-exchange";

/** The `typ` of an ID-JAG (Identity Assertion JWT Authorization Grant, section 3.1). */
export const idJagJwtType = "oauth-id-jag+jwt";

/** The type of token that a client requests for an ID-JAG (the same draft, section 4.3). */
export const idJagTokenType = "urn:ietf:params:oauth:token-type:id-jag";

/** Advertises in the metadata that a server redeems ID-JAGs (the same draft, section 7.2). */
export const idJagGrantProfile = "urn:ietf:params:oauth:grant-profile:id-jag";

/**
 * The grants in which the user is asked. With any other, an untrusted client would get tokens
 * without anyone's consent.
 */
const interactiveGrants = ["authorization_code", "refresh_token", deviceCodeGrantType];

/** The order in which the metadata and the pages list grant types. */
export const grantTypeOrder: readonly string[] = [
  "authorization_code",
  "refresh_token",
  "client_credentials",
  deviceCodeGrantType,
  cibaGrantType,
  tokenExchangeGrantType,
  jwtBearerGrantType,
];

/** Whether the user is asked in a grant. */
export function isInteractiveGrant(type: string): boolean {
  return interactiveGrants.includes(type);
}

export const grantTypeRules = ruleSet("grant_type", about, {
  present: requiresParameter("grant_type"),
  supported: {
    ...compared,
    error: "unsupported_grant_type",
    title: "The grant_type must be one that the server supports",
    message: (facts) => `The grant_type must be one of: ${compared.expected(facts)}.`,
    // OAuth 2.1 has neither the password grant nor the implicit grant.
    fix: "For users, use the authorization code grant with PKCE.",
    expected: () => "a grant type that the server supports",
  },
  allowed: {
    ...compared,
    error: "unauthorized_client",
    title: "The grant_type must be one that the client may use",
    fix: "Use another grant, or add this one to the client's grant types.",
  },
});
