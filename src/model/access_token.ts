import type { AuthorizationDetail } from "./access_rights.ts";

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
  /** What was allowed in detail (RFC 9396, section 9.1). */
  authorization_details?: AuthorizationDetail[];
  acr?: string;
  /** Who acts for the subject, where somebody else does (RFC 8693, section 4.1). */
  act?: Actor;
  /** Who alone may act for the subject (RFC 8693, section 4.4). */
  may_act?: Record<string, unknown>;
}

/** Somebody who acts for the subject of a token, and who did so before. */
export interface Actor {
  sub: string;
  act?: Actor;
}

/** The `typ` that keeps an access token from being taken for any other JWT (RFC 9068, section 2.1). */
export const accessTokenType = "at+jwt";

export function isMeantFor({ aud }: { aud: string | string[] }, resource: string): boolean {
  return typeof aud === "string" ? aud === resource : aud.includes(resource);
}
