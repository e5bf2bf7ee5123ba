import { accessTokenTypes } from "../model/access_token.ts";
import { isJwtType, type JwtClaims } from "./jwt.ts";

/** The kinds of JWT that the server issues and accepts back as a credential. */
export type JwtKind = "access token" | "id token";

/** Claims of the other JWTs that the server signs. No ID token contains them. */
const claimsNeverInIdTokens = ["client_id", "scope", "events", "token_introspection"];

/**
 * Returns the kind of a JWT that this server signed. The caller has verified the signature. Returns
 * undefined for the other JWTs that the server signs: logout tokens, userinfo responses,
 * introspection responses and authorization responses.
 *
 * The `typ` is not enough, because access tokens may have the type of ID tokens. So the claims are
 * checked too: every access token has `client_id` and `scope`, and no ID token has either. Both are
 * reserved (`serverClaims`): neither the configuration nor a user's data can set them.
 *
 * Otherwise an API could present the access token that it received as an ID token, and exchange it
 * (RFC 8693) for a token with all the access that the user allowed.
 */
export function jwtKindOf(typ: unknown, claims: JwtClaims): JwtKind | undefined {
  if (typeof claims.exp !== "number") return undefined;
  if (isAccessToken(typ, claims)) return "access token";
  return isIdToken(typ, claims) ? "id token" : undefined;
}

/** This server puts these claims into every access token, an empty `scope` included. */
function isAccessToken(typ: unknown, claims: JwtClaims): boolean {
  return isJwtType(typ, accessTokenTypes) &&
    hasStringClaims(claims, ["sub", "jti", "client_id", "scope"]) &&
    [claims.aud].flat().every((audience) => typeof audience === "string");
}

/** A signed authorization response has the same `typ` and `aud` as an ID token, but no `sub`. */
function isIdToken(typ: unknown, claims: JwtClaims): boolean {
  return isJwtType(typ, ["JWT"]) && hasStringClaims(claims, ["sub", "aud", "jti"]) &&
    !claimsNeverInIdTokens.some((name) => Object.hasOwn(claims, name));
}

function hasStringClaims(claims: JwtClaims, names: readonly string[]): boolean {
  return names.every((name) => typeof claims[name] === "string");
}
