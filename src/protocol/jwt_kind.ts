import { accessTokenTypes } from "../model/access_token.ts";
import { isJwtType, type JwtClaims } from "./jwt.ts";

/** The kinds of JWT that a server issues and also takes. */
export type JwtKind = "access token" | "id token";

/** The claims that describe another JWT of the server. No ID token has them. */
const foreignToIdTokens = ["client_id", "scope", "events", "token_introspection"];

/**
 * Returns what a JWT of this server is, or undefined for every other kind: logout tokens, signed
 * userinfo, introspection and authorization responses.
 *
 * The `typ` alone does not decide, because access tokens may have the type of ID tokens. The claims
 * do: every access token has `client_id` and `scope`, and no ID token has either. No rule, policy or
 * user can set them, because both are claims that the server sets itself. What an API gets can
 * therefore never come back as proof of who signed in, which an exchange would widen to everything
 * that the user allowed.
 */
export function jwtKindOf(typ: unknown, claims: JwtClaims): JwtKind | undefined {
  if (isAccessToken(typ, claims)) return "access token";
  return isIdToken(typ, claims) ? "id token" : undefined;
}

/** RFC 9068, section 2.2, requires these claims. */
function isAccessToken(typ: unknown, claims: JwtClaims): boolean {
  return isJwtType(typ, accessTokenTypes) && hasTexts(claims, ["sub", "jti", "client_id", "scope"]);
}

/** A signed authorization response has the same type and audience, but no subject. */
function isIdToken(typ: unknown, claims: JwtClaims): boolean {
  return isJwtType(typ, ["JWT"]) && hasTexts(claims, ["sub", "aud", "jti"]) &&
    typeof claims.exp === "number" &&
    !foreignToIdTokens.some((name) => Object.hasOwn(claims, name));
}

function hasTexts(claims: JwtClaims, names: readonly string[]): boolean {
  return names.every((name) => typeof claims[name] === "string");
}
