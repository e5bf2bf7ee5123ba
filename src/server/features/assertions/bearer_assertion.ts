import { decodeJwt, decodeProtectedHeader } from "jose";
import { idJagJwtType } from "../../protocol/grant_types.ts";
import { isJwtType, type JwtClaims } from "../../protocol/jwt.ts";
import type { TrustedIssuerConfig } from "./config.ts";

/** Returns the allowed `typ`, so that no other JWT of an issuer can pass for an assertion. */
export function assertionJwtTypes({ idJagOnly }: TrustedIssuerConfig): Array<string | undefined> {
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
