import { OAuthError } from "./oauth_error.ts";
import type { Parameters } from "./parameters.ts";

/** Reads the access token of a request: from the header or a form body, never from the URI (OAuth 2.1, section 5.1). */
export function readBearerToken(authorization: string | null, body: Parameters | undefined): string | undefined {
  const inBody = body?.get("access_token");
  if (authorization === null) return inBody;
  const [, token] = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization) ?? [];
  if (token === undefined) throw refuse("The Authorization header does not hold a bearer token.");
  if (inBody !== undefined) throw refuse("An access token is sent in one way at a time: the header or the body.");
  return token;
}

function refuse(message: string): OAuthError {
  return new OAuthError("invalid_request", message, { see: "OAuth 2.1, section 5.1" });
}

/** The `WWW-Authenticate` value for a refused token, or for none at all (OAuth 2.1, section 5.3.1). */
export function bearerChallenge(realm: string, error?: { error: string; error_description: string }): string {
  const members = error ? { realm, error: error.error, error_description: error.error_description } : { realm };
  return `Bearer ${Object.entries(members).map(([name, value]) => `${name}="${value}"`).join(", ")}`;
}
