/** What an access token says (RFC 9068, section 2.2), be it a JWT or opaque. */
export interface AccessTokenClaims {
  iss: string;
  sub: string;
  aud: string | string[];
  client_id: string;
  scope: string;
  /** In seconds, as all times of tokens. */
  iat: number;
  exp: number;
  jti: string;
  auth_time?: number;
  /** The key without which the token is worth nothing (RFC 9449, section 6.1). */
  cnf?: { jkt: string };
  acr?: string;
}

/** The `typ` that keeps an access token from being taken for any other JWT (RFC 9068, section 2.1). */
export const accessTokenType = "at+jwt";

export function isMeantFor({ aud }: { aud: string | string[] }, resource: string): boolean {
  return typeof aud === "string" ? aud === resource : aud.includes(resource);
}
