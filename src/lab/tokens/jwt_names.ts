import type { DecodedJwt } from "../recording/credentials.ts";
import { showValue } from "../util/show_value.ts";

/** The kinds of JWT that name themselves by their `typ`, without "application/". */
const namesByType: Readonly<Record<string, string>> = {
  "at+jwt": "Access token (RFC 9068)",
  "dpop+jwt": "DPoP proof (RFC 9449)",
  "logout+jwt": "Logout token (OpenID Connect Back-Channel Logout)",
  "token-introspection+jwt": "Introspection response (RFC 9701)",
  "oauth-authz-req+jwt": "Request object (RFC 9101)",
  "client-authentication+jwt": "Client assertion (RFC 7523)",
};

/** Returns what a JWT is, as far as its header and claims show. */
export function nameOfJwt({ header, claims }: DecodedJwt): string {
  const type = showValue(header.typ ?? "").toLowerCase().replace(/^application\//, "");
  if (Object.hasOwn(namesByType, type)) return namesByType[type] ?? "JWT";
  if (claims.events !== undefined) return "Logout token (OpenID Connect Back-Channel Logout)";
  if (claims.response_type !== undefined) return "Request object (RFC 9101)";
  if (claims.code !== undefined || claims.error !== undefined) {
    return "Authorization response (JARM)";
  }
  if (claims.client_id !== undefined && claims.scope !== undefined) return "Access token";
  if (claims.iss !== undefined && claims.iss === claims.sub) return "Client assertion (RFC 7523)";
  const isIdToken = claims.sub !== undefined && claims.aud !== undefined;
  return isIdToken ? "ID token (OpenID Connect)" : "JWT";
}
