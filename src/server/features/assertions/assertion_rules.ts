import { requiresCredentials } from "../../protocol/client_rules.ts";
import { requiresParameter } from "../../protocol/form_parameters.ts";
import { type JwtClaims, jwtTimesProblem } from "../../protocol/jwt.ts";
import { describeValue, ruleSet } from "../../protocol/rule.ts";
import { isScope } from "../../protocol/scope.ts";
import { isObject } from "../../util/text/json.ts";
import { hour } from "../../util/time/duration.ts";
import type { UnverifiedBearerAssertion } from "./bearer_assertion.ts";

/** Every problem with an assertion has the same error code (RFC 7521, section 4.1.1). */
export const aboutAssertion = {
  see: "RFC 7523, section 3",
  parameter: "assertion",
  error: "invalid_grant",
} as const;

const draft = "Identity Assertion JWT Authorization Grant, section";

/** A verified JWT of another issuer, and what its claims must match. */
export interface PresentedClaims {
  claims: JwtClaims;
  /** The required `aud`. */
  audience: string;
  /** In seconds. */
  now: number;
}

/** A verified assertion about a user. */
export interface PresentedAssertion extends PresentedClaims {
  unverified: UnverifiedBearerAssertion;
  clientId: string;
  /** The thumbprint of the key of the DPoP proof, if the request has one. */
  jkt?: string | undefined;
}

/** What holds for each JWT of another issuer. */
export const externalJwt = {
  signature: {
    title: "The assertion must be a JWT of an allowed type that its issuer signed",
    fix: "Sign it with a published key of its issuer, and set an allowed 'typ'.",
    ...withProblem(({ problem }: { problem: string | undefined }) => problem),
  },
  jti: {
    title: "The assertion must have a 'jti', so that it can be used only once",
    fix: "Give each assertion a new 'jti'.",
    holds: ({ claims: { jti } }: PresentedClaims) => isText(jti),
  },
  key: {
    title: "The request must prove the key in the 'cnf' of the assertion, if it has one",
    fix: "Send a DPoP proof, signed with the key in the 'cnf' of the assertion.",
    holds: ({ claims: { cnf }, jkt }: Pick<PresentedAssertion, "claims" | "jkt">) =>
      cnf === undefined || (isObject(cnf) && isText(cnf.jkt) && cnf.jkt === jkt),
  },
  unused: {
    title: "The assertion must not have been used before",
    fix: "Get a new assertion for each request.",
    holds: ({ isFirst }: { isFirst: boolean }) => isFirst,
  },
};

export const assertionRules = ruleSet("assertion", aboutAssertion, {
  signature: externalJwt.signature,
  unused: externalJwt.unused,
  confidential: requiresCredentials("the JWT bearer grant"),
  present: { ...requiresParameter("assertion"), error: "invalid_request" },
  // Otherwise the server would widen what it wrote itself.
  foreign: {
    see: `${draft} 9.3`,
    title: "The assertion must be one that this server did not issue itself",
    fix: "Present the assertion to the server that its 'aud' names.",
    holds: ({ isOurs }: { isOurs: boolean }) => !isOurs,
  },
  issuer: {
    title: "The issuer of the assertion must be trusted for this client",
    fix: "Add the issuer to 'trustedIssuers', with this client among its 'clients'.",
    holds: ({ isTrusted }: { isTrusted: boolean }) => isTrusted,
  },
  user: {
    title: "The 'sub' of the assertion must be an active user",
    fix: "Add the user, or name the user for this 'sub' in the 'users' of the trusted issuer.",
    holds: ({ isActive }: { isActive: boolean }) => isActive,
  },
});

/** The rules of the claims, in the order in which they apply (RFC 7523; RFC 10070, section 4). */
export const assertionClaimRules = ruleSet("assertion", aboutAssertion, {
  iss: {
    title: "The assertion must name its issuer once",
    holds: ({ claims, unverified }: PresentedAssertion) => claims.iss === unverified.issuer,
  },
  sub: {
    title: "The assertion must have a 'sub', the identifier of the user",
    holds: ({ claims }: PresentedAssertion) => isText(claims.sub),
  },
  audience: {
    title: "The 'aud' of the assertion must be the issuer of this server alone",
    // Only the draft of the ID-JAG allows a list, with this one entry (section 4.4.1).
    holds: ({ claims: { aud }, unverified: { isIdJag }, audience }: PresentedAssertion) =>
      (isIdJag ? onlyEntry(aud) : aud) === audience,
    expected: ({ audience }) => audience,
    received: ({ claims }) => describeValue(claims.aud),
  },
  jti: externalJwt.jti,
  client: {
    see: `${draft} 4.4.1`,
    title: "The 'client_id' of the assertion must be this client, and an ID-JAG must have one",
    fix: "Let the client that the 'client_id' names present the assertion.",
    holds: ({ claims: { client_id }, unverified: { isIdJag }, clientId }: PresentedAssertion) =>
      client_id === clientId || (client_id === undefined && !isIdJag),
    expected: ({ clientId }) => clientId,
    received: ({ claims }) => describeValue(claims.client_id),
  },
  scope_form: {
    title: "The 'scope' of the assertion must be tokens separated by single spaces, if it has one",
    // A malformed restriction must not be read as no restriction.
    holds: ({ claims: { scope } }: PresentedAssertion) => scope === undefined || isScope(scope),
    received: ({ claims }) => describeValue(claims.scope),
  },
  resource_form: {
    title: "The 'resource' of the assertion must be a URI or a list of URIs, if it has one",
    holds: ({ claims: { resource } }: PresentedAssertion) =>
      resource === undefined || areStrings(resource),
    received: ({ claims }) => describeValue(claims.resource),
  },
  times: {
    title: "The assertion must be valid now, and for at most an hour",
    fix: "Get a new assertion, and set the clocks of both servers.",
    ...withProblem(({ claims, now, unverified: { isIdJag } }: PresentedAssertion) =>
      timesProblem(claims, now, { needsIat: isIdJag, maxLifetime: 1 * hour })
    ),
  },
  key: { ...externalJwt.key, see: `${draft} 9.8.1.2` },
});

/**
 * Makes a rule of a function that returns what is wrong with an assertion, as a clause that repeats
 * nothing from it.
 */
export function withProblem<Facts>(problem: (facts: Facts) => string | undefined) {
  return {
    message: (facts: Facts) => `The assertion is invalid: ${problem(facts)}.`,
    holds: (facts: Facts) => problem(facts) === undefined,
    received: (facts: Facts) => problem(facts) ?? "a valid one",
  };
}

/** Returns why the times of an assertion are invalid, or undefined. */
export function timesProblem(
  claims: JwtClaims,
  now: number,
  { needsIat, maxLifetime }: { needsIat: boolean; maxLifetime: number },
): string | undefined {
  if (needsIat && claims.iat === undefined) return "it has no 'iat'";
  return jwtTimesProblem(claims, now, { needsExp: true, maxLifetime, fromIat: true });
}

/** Returns the entry of a list with one entry; any other value as it is. */
export function onlyEntry(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function areStrings(value: unknown): boolean {
  const values = [value].flat();
  return values.length > 0 && values.every((each) => typeof each === "string");
}
