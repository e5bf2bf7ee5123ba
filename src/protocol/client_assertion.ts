import { decodeJwt, decodeProtectedHeader } from "jose";
import type { ClientAuthenticationMethod } from "../model/client.ts";
import { clientAlgorithms, secretAlgorithms, type SigningAlgorithm } from "../model/signing.ts";
import { hour } from "../util/duration.ts";
import { timesProblem } from "./jwt_times.ts";

/** What `client_assertion_type` must say (RFC 7523, section 2.2). */
export const clientAssertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** The `typ` that an assertion may have; so no other JWT of a client can be taken for one. */
export const clientAssertionJwtTypes = [undefined, "JWT", "client-authentication+jwt"];

/** The algorithms of the assertions of a method, where the server has the given ones. */
export function clientAssertionAlgorithms(
  method: ClientAuthenticationMethod,
  algs: readonly SigningAlgorithm[],
): readonly string[] {
  if (method === "private_key_jwt") return clientAlgorithms(algs);
  return method === "client_secret_jwt" ? secretAlgorithms : [];
}

/** Whom an assertion is said to come from. Nothing of this has been verified: it tells whose keys to look for. */
export interface UnverifiedClientAssertion {
  method: Extract<ClientAuthenticationMethod, "private_key_jwt" | "client_secret_jwt">;
  clientId: string;
}

/** Looks into an assertion that is yet to be verified; nothing, where it is no JWT that names a client. */
export function peekClientAssertion(assertion: string): UnverifiedClientAssertion | undefined {
  try {
    const { alg = "" } = decodeProtectedHeader(assertion);
    const { sub } = decodeJwt(assertion);
    if (typeof sub !== "string" || sub === "") return undefined;
    return {
      method: secretAlgorithms.includes(alg) ? "client_secret_jwt" : "private_key_jwt",
      clientId: sub,
    };
  } catch {
    return undefined;
  }
}

/** What the claims of an assertion are held against. */
export interface ExpectedClientAssertion {
  clientId: string;
  issuer: string;
  /** Where a client of an older make may aim instead, in a list as well. */
  tokenEndpoint?: string;
  /** In seconds. */
  now: number;
}

/** Says what is wrong with the claims of an assertion, or nothing (RFC 7523, section 3, as rfc7523bis narrows it). */
export function clientAssertionProblem(
  claims: Readonly<Record<string, unknown>>,
  rule: ExpectedClientAssertion,
): string | undefined {
  const { iss, sub, aud, jti } = claims;
  if (iss !== rule.clientId || sub !== rule.clientId) {
    return "its 'iss' and its 'sub' are not both the client_id";
  }
  if (!isAudience(aud, rule)) return `its 'aud' is not '${rule.issuer}', as a single text`;
  if (typeof jti !== "string" || jti === "") return "it has no 'jti'";
  return timesProblem(claims, rule.now, { needsExp: true, maxLifetime: 1 * hour });
}

/** With anything but the issuer alone, another server could be talked into passing an assertion on (rfc7523bis, section 4). */
function isAudience(aud: unknown, { issuer, tokenEndpoint }: ExpectedClientAssertion): boolean {
  if (tokenEndpoint === undefined) return aud === issuer;
  const all = [aud].flat();
  return all.length > 0 && all.every((each) => each === issuer || each === tokenEndpoint);
}
