import { decodeJwt, decodeProtectedHeader, type JWK } from "jose";
import { idJagJwtType } from "./id_jag.ts";
import { isJwtType, type JwtClaims } from "./jwt.ts";

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
  /**
   * Whether to accept only its ID-JAGs, and no assertions without their `typ`. Set it for an
   * identity provider that signs other JWTs with the same keys, such as ID tokens.
   *
   * @default false
   */
  idJagOnly?: boolean;
  /**
   * The `tenant` of its assertions, if several tenants share the issuer.
   *
   * @default none: ID-JAGs of a tenant are refused
   */
  tenant?: string;
}

/** Returns the allowed `typ`, so that no other JWT of an issuer can pass for an assertion. */
export function assertionJwtTypes({ idJagOnly }: TrustedIssuer): Array<string | undefined> {
  return idJagOnly ? [idJagJwtType] : [undefined, "JWT", idJagJwtType];
}

/** The part of an unverified assertion that decides how to verify it. */
export interface UnverifiedBearerAssertion {
  issuer: string;
  isIdJag: boolean;
}

/**
 * Decodes an assertion before it is verified. Returns undefined unless it is a JWT with an `iss`.
 */
export function peekBearerAssertion(assertion: string): UnverifiedBearerAssertion | undefined {
  try {
    const { typ } = decodeProtectedHeader(assertion);
    const { iss } = decodeJwt(assertion);
    if (typeof iss !== "string") return undefined;
    return { issuer: iss, isIdJag: isJwtType(typ, [idJagJwtType]) };
  } catch {
    return undefined;
  }
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
