/** The grant type of devices without a browser or a keyboard (RFC 8628, section 3.4). */
export const deviceCodeGrantType = "urn:ietf:params:oauth:grant-type:device_code";

/** The grant type that exchanges an assertion about a user for tokens (RFC 7523, section 2.1). */
export const jwtBearerGrantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/**
 * The grant type that trades a token for one with other targets or actors (RFC 8693, section 2.1).
 */
export const tokenExchangeGrantType = "urn:ietf:params:oauth:grant-type:token-exchange";

/**
 * The grants in which the user is asked. With any other, an untrusted client would get tokens
 * without anyone's consent.
 */
const interactiveGrants = ["authorization_code", "refresh_token", deviceCodeGrantType];

/** Whether the user is asked in a grant. */
export function isInteractiveGrant(type: string): boolean {
  return interactiveGrants.includes(type);
}

/** The order in which the metadata and the pages list grant types. */
export const grantTypeOrder: readonly string[] = [
  "authorization_code",
  "refresh_token",
  "client_credentials",
  deviceCodeGrantType,
  tokenExchangeGrantType,
  jwtBearerGrantType,
];
