import { decodeJwt, decodeProtectedHeader, type JWK } from "jose";
import { hour } from "../util/duration.ts";
import { timesProblem } from "./jwt_times.ts";
import { isJwtType } from "./jwt_type.ts";
import { parseScope } from "./scope.ts";

/** The grant by which somebody else's word for a person is taken (RFC 7523, section 2.1). */
export const jwtBearerGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** An issuer whose word is taken, and how far. */
export interface TrustedIssuer {
  /** The `iss` of its assertions. */
  issuer: string;
  /** Its public keys. */
  jwks?: { keys: JWK[] };
  /** Where its public keys are found, in place of `jwks`. */
  jwksUri?: string;
  /** The clients that may bring its assertions. */
  clients: string[];
  /** What may be asked for with them. Default: whatever the client may. */
  scopes?: string[];
  /** The name of a user for each of its subjects. Default: the same name, so that it can speak for every user. */
  users?: Record<string, string>;
}

/** An assertion that a client was given for itself alone (Identity Assertion Authorization Grant, section 3). */
const forOneClient = "oauth-id-jag+jwt";

/** The `typ` that an assertion may have; so no other JWT of its issuer can be taken for one. */
export const bearerAssertionJwtTypes = [undefined, "JWT", forOneClient];

/** What an unverified assertion says of itself: whose keys to look for, and how to read it. */
export interface UnverifiedBearerAssertion {
  issuer: string;
  forOneClient: boolean;
}

/** Looks into an assertion that is yet to be verified; nothing, where it is no JWT that names its issuer. */
export function peekBearerAssertion(assertion: string): UnverifiedBearerAssertion | undefined {
  try {
    const { typ } = decodeProtectedHeader(assertion);
    const { iss } = decodeJwt(assertion);
    return typeof iss === "string"
      ? { issuer: iss, forOneClient: isJwtType(typ, [forOneClient]) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** What the claims of an assertion are held against. */
export interface ExpectedBearerAssertion {
  claimed: UnverifiedBearerAssertion;
  clientId: string;
  /** Ours. */
  issuer: string;
  /** In seconds. */
  now: number;
}

/** Says what is wrong with the claims of an assertion, or nothing (RFC 7523, section 3, as rfc7523bis narrows it). */
export function bearerAssertionProblem(
  claims: Readonly<Record<string, unknown>>,
  rule: ExpectedBearerAssertion,
): string | undefined {
  const { iss, sub, aud, jti, client_id } = claims;
  if (iss !== rule.claimed.issuer) return "its 'iss' is in doubt";
  if (typeof sub !== "string" || sub === "") return "it has no 'sub'";
  if (aud !== rule.issuer) return `its 'aud' is not '${rule.issuer}', as a single text`;
  if (typeof jti !== "string" || jti === "") return "it has no 'jti'";
  if (client_id !== rule.clientId && (client_id !== undefined || rule.claimed.forOneClient)) {
    return "its 'client_id' is not this client";
  }
  // An issuer that says how far its word goes, and is not understood, must not be taken to say nothing.
  if (claims.scope !== undefined && typeof claims.scope !== "string") {
    return "its 'scope' is not a text";
  }
  if (claims.resource !== undefined && !areTexts(claims.resource)) {
    return "its 'resource' is neither a text nor a list of texts";
  }
  return timesProblem(claims, rule.now, { needsExp: true, maxLifetime: 1 * hour });
}

function areTexts(value: unknown): boolean {
  const texts = [value].flat();
  return texts.length > 0 && texts.every((each) => typeof each === "string");
}

/** What of a scope an assertion leaves: all of it, where it says nothing. */
export function scopeAllowedBy(
  { scope }: Readonly<Record<string, unknown>>,
  allowed: readonly string[],
): string[] {
  const named = typeof scope === "string" ? parseScope(scope) : allowed;
  return allowed.filter((token) => named.includes(token));
}

/** The resources that an assertion is for; nothing, where it does not say. */
export function resourcesOf({ resource }: Readonly<Record<string, unknown>>): string[] | undefined {
  const named = [resource ?? []].flat().filter((each) => typeof each === "string");
  return resource === undefined ? undefined : named;
}
