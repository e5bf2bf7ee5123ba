import { decodeJwt, decodeProtectedHeader, type JWK } from "jose";
import { hour } from "../util/time/duration.ts";
import { isJwtType, type JwtClaims, jwtTimesProblem } from "./jwt.ts";
import { isScope } from "./scope.ts";

/** The `typ` of an assertion for one client (Identity Assertion Authorization Grant, section 3). */
const singleClientType = "oauth-id-jag+jwt";

/** The allowed `typ`, so that no other JWT of an issuer can pass for an assertion. */
export const bearerAssertionJwtTypes: ReadonlyArray<string | undefined> = [
  undefined,
  "JWT",
  singleClientType,
];

/** An external issuer whose assertions are accepted, and for what. */
export interface TrustedIssuer {
  /** The `iss` of its assertions. */
  issuer: string;
  /** Its public keys. */
  jwks?: { keys: JWK[] };
  /**
   * The URL of its public keys, in place of `jwks`.
   *
   * @format url
   */
  jwksUri?: string;
  /**
   * The clients that may send its assertions.
   *
   * @format client-id
   */
  clients: string[];
  /**
   * The scopes that may be requested with them.
   *
   * @format scope
   * @default the scopes of the client
   */
  scopes?: string[];
  /**
   * The user name for each of its subjects.
   *
   * @default the same name, so that the issuer can name every user
   */
  users?: Record<string, string>;
}

/** The part of an unverified assertion that decides how to verify it. */
export interface UnverifiedBearerAssertion {
  issuer: string;
  isForSingleClient: boolean;
}

/**
 * Decodes an assertion before it is verified. Returns undefined unless it is a JWT with an `iss`.
 */
export function peekBearerAssertion(assertion: string): UnverifiedBearerAssertion | undefined {
  try {
    const { typ } = decodeProtectedHeader(assertion);
    const { iss } = decodeJwt(assertion);
    if (typeof iss !== "string") return undefined;
    return { issuer: iss, isForSingleClient: isJwtType(typ, [singleClientType]) };
  } catch {
    return undefined;
  }
}

/** What the claims of an assertion must match. */
export interface ExpectedBearerAssertion {
  unverified: UnverifiedBearerAssertion;
  clientId: string;
  /** The identifier of this server. */
  issuer: string;
  /** In seconds. */
  now: number;
}

/** Returns why an assertion is invalid, or undefined (RFC 7523, section 3; RFC 10070, section 4). */
export function bearerAssertionProblem(
  claims: JwtClaims,
  expected: ExpectedBearerAssertion,
): string | undefined {
  const { iss, sub, aud, jti, client_id } = claims;
  const { issuer, isForSingleClient } = expected.unverified;
  if (iss !== issuer) return "its 'iss' is ambiguous";
  if (typeof sub !== "string" || sub === "") return "it has no 'sub'";
  if (aud !== expected.issuer) return `its 'aud' is not the single string '${expected.issuer}'`;
  if (typeof jti !== "string" || jti === "") return "it has no 'jti'";
  if (client_id !== expected.clientId && (client_id !== undefined || isForSingleClient)) {
    return "its 'client_id' is not this client";
  }
  // A malformed restriction must not be read as no restriction.
  if (claims.scope !== undefined && !isScope(claims.scope)) {
    return "its 'scope' is not a list of tokens separated by single spaces";
  }
  if (claims.resource !== undefined && !areStrings(claims.resource)) {
    return "its 'resource' is neither a string nor a list of strings";
  }
  return jwtTimesProblem(claims, expected.now, { needsExp: true, maxLifetime: 1 * hour });
}

function areStrings(value: unknown): boolean {
  const values = [value].flat();
  return values.length > 0 && values.every((each) => typeof each === "string");
}

/**
 * Returns the part of the allowed scope that an assertion names: all of it if it names no scope.
 */
export function assertionScope({ scope }: JwtClaims, allowed: readonly string[]): string[] {
  if (typeof scope !== "string") return [...allowed];
  const named = scope.split(" ");
  return allowed.filter((token) => named.includes(token));
}

/** Returns the resources that an assertion names, or undefined if it does not restrict them. */
export function assertionResources({ resource }: JwtClaims): string[] | undefined {
  if (resource === undefined) return undefined;
  return [resource ?? []].flat().filter((each) => typeof each === "string");
}
