import { decodeJwt, decodeProtectedHeader } from "jose";
import type { ClientAuthenticationMethod } from "../model/client_config.ts";
import { clientAlgorithms, secretAlgorithms, type SigningAlgorithm } from "../model/signing.ts";
import { hour } from "../util/time/duration.ts";
import { type JwtClaims, jwtTimesProblem } from "./jwt.ts";

/** The only value of `client_assertion_type` (RFC 7523, section 2.2). */
export const clientAssertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** The allowed `typ`, so that no other JWT of a client can pass for an assertion. */
export const clientAssertionJwtTypes: ReadonlyArray<string | undefined> = [
  undefined,
  "JWT",
  "client-authentication+jwt",
];

/** Returns the algorithms for assertions of a method, given those of the server. */
export function clientAssertionAlgorithms(
  method: ClientAuthenticationMethod,
  algs: readonly SigningAlgorithm[],
): readonly string[] {
  if (method === "private_key_jwt") return clientAlgorithms(algs);
  return method === "client_secret_jwt" ? secretAlgorithms : [];
}

/** The part of an unverified assertion that decides which keys verify it. */
export interface UnverifiedClientAssertion {
  method: "private_key_jwt" | "client_secret_jwt";
  clientId: string;
}

/**
 * Decodes an assertion before it is verified. Returns undefined unless it is a JWT with a `sub`.
 */
export function peekClientAssertion(assertion: string): UnverifiedClientAssertion | undefined {
  try {
    const { alg = "" } = decodeProtectedHeader(assertion);
    const { sub } = decodeJwt(assertion);
    if (typeof sub !== "string" || sub === "") return undefined;
    const isSymmetric = secretAlgorithms.includes(alg);
    return { method: isSymmetric ? "client_secret_jwt" : "private_key_jwt", clientId: sub };
  } catch {
    return undefined;
  }
}

/** What the claims of an assertion must match. */
export interface ExpectedClientAssertion {
  clientId: string;
  /** The identifier of this server. */
  issuer: string;
  /** The endpoints that may be audiences too, also in a list. */
  endpoints?: readonly string[] | undefined;
  /** In seconds. */
  now: number;
}

/**
 * Returns why an assertion is invalid, or undefined (RFC 7523, section 3; RFC 10070, section 4).
 */
export function clientAssertionProblem(
  claims: JwtClaims,
  expected: ExpectedClientAssertion,
): string | undefined {
  const { iss, sub, aud, jti } = claims;
  if (iss !== expected.clientId || sub !== expected.clientId) {
    return "its 'iss' and 'sub' are not both the client_id";
  }
  if (!isAudience(aud, expected)) {
    return `its 'aud' is not the single string '${expected.issuer}'`;
  }
  if (typeof jti !== "string" || jti === "") return "it has no 'jti'";
  return jwtTimesProblem(claims, expected.now, { needsExp: true, maxLifetime: 1 * hour });
}

/**
 * With any audience but the issuer, another server could get an assertion for us and replay it
 * (RFC 10070, section 4).
 */
function isAudience(
  aud: unknown,
  { issuer, endpoints = [] }: ExpectedClientAssertion,
): boolean {
  if (endpoints.length === 0) return aud === issuer;
  const all = [aud].flat();
  return all.length > 0 &&
    all.every((each) => each === issuer || endpoints.some((url) => url === each));
}
