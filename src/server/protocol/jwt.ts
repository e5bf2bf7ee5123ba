import { accessTokenTypes } from "../model/access_token.ts";

/** How far clocks may differ, in seconds (FAPI 2.0 Security Profile, section 5.3.2.1). */
const clockTolerance = 10;

/** Claims of the other JWTs that the server signs. No ID token contains them. */
const claimsNeverInIdTokens = ["client_id", "scope", "events", "token_introspection"];

export type JwtClaims = Readonly<Record<string, unknown>>;

/** Returns why the times of an external JWT are invalid, or undefined (RFC 7519, section 4.1). */
export function jwtTimesProblem(
  claims: JwtClaims,
  now: number,
  { needsExp, maxLifetime, fromIat = false }: {
    needsExp: boolean;
    /** How far in the future it may expire, in seconds. */
    maxLifetime: number;
    /** Whether it may also expire only as long after its `iat`, if it has one. */
    fromIat?: boolean;
  },
): string | undefined {
  const { exp, nbf, iat } = claims;
  for (const [name, value] of Object.entries({ exp, nbf, iat })) {
    if (value !== undefined && !Number.isFinite(value)) {
      return `its '${name}' is not a number of seconds`;
    }
  }
  if (needsExp && exp === undefined) return "it has no 'exp'";
  if (exp !== undefined && Number(exp) + clockTolerance <= now) {
    return `it expired ${Math.round(now - Number(exp))} seconds ago`;
  }
  if (exp !== undefined && Number(exp) > now + maxLifetime + clockTolerance) {
    return `its 'exp' is more than ${maxLifetime} seconds in the future`;
  }
  if (fromIat && Number(exp) > Number(iat) + maxLifetime + clockTolerance) {
    return `its 'exp' is more than ${maxLifetime} seconds after its 'iat'`;
  }
  if (nbf !== undefined && Number(nbf) > now + clockTolerance) {
    return "its 'nbf' is in the future";
  }
  if (iat !== undefined && Number(iat) > now + clockTolerance) {
    return "its 'iat' is in the future";
  }
  return undefined;
}

/**
 * Returns until when a JWT could be replayed, in seconds. Its `jti` must be remembered that long.
 */
export function usableUntil({ exp }: JwtClaims): number {
  return Number(exp) + clockTolerance;
}

/** Whether a text is an encrypted JWT: it has five parts (RFC 7516, section 7.1). */
export function isEncryptedJwt(text: string): boolean {
  return text.split(".").length === 5;
}

/** Whether the `typ` of a JWT is an allowed one. An undefined entry allows a JWT without `typ`. */
export function isJwtType(typ: unknown, allowed: ReadonlyArray<string | undefined>): boolean {
  return allowed.some((each) => mediaTypeOf(each) === mediaTypeOf(typ));
}

/** The kinds of JWT that the server issues and accepts back as a credential. */
export type JwtKind = "access token" | "id token";

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

/**
 * Normalizes a `typ`. It is a media type: case-insensitive, with an optional "application/" prefix
 * (RFC 7515, section 4.1.9).
 */
function mediaTypeOf(typ: unknown): unknown {
  if (typeof typ !== "string") return typ;
  const type = typ.toLowerCase();
  return type.includes("/") ? type : `application/${type}`;
}
