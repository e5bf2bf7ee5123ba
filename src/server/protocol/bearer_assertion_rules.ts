import { isObject } from "../util/text/json.ts";
import { hour } from "../util/time/duration.ts";
import type { UnverifiedBearerAssertion } from "./bearer_assertion.ts";
import { type JwtClaims, jwtTimesProblem } from "./jwt.ts";
import type { Rule } from "./rule.ts";
import { isScope } from "./scope.ts";

/** Every problem with an assertion has the same error code (RFC 7521, section 4.1.1). */
export const aboutAssertion: Pick<Rule<never>, "see" | "error"> & { parameter: string } = {
  see: "RFC 7523, section 3",
  parameter: "assertion",
  error: "invalid_grant",
};

/** A verified assertion, and what its claims must match. */
export interface PresentedAssertion {
  claims: JwtClaims;
  unverified: UnverifiedBearerAssertion;
  clientId: string;
  /** The identifier of this server. */
  issuer: string;
  /** In seconds. */
  now: number;
  /** The thumbprint of the key of the DPoP proof, if the request has one. */
  jkt?: string | undefined;
}

/** A rule whose sentence repeats nothing from the assertion. */
interface AssertionRuleParts<Facts> {
  id: string;
  title: string;
  see?: string;
  advice: string;
  /** Returns what is wrong, as a clause. */
  problem: (facts: Facts) => string | undefined;
}

/** Creates a rule from the clause that describes how an assertion breaks it. */
export function assertionRule<Facts>(
  { problem, ...parts }: AssertionRuleParts<Facts>,
): Rule<Facts> {
  return {
    ...aboutAssertion,
    ...parts,
    message: (facts) => `The assertion is invalid: ${problem(facts)}.`,
    holds: (facts) => problem(facts) === undefined,
    came: (facts) => problem(facts) ?? "a valid one",
  };
}

/** Otherwise the server would widen what it wrote itself (section 9.3 of the draft). */
export const assertionIsOfAnother: Rule<{ isOurs: boolean }> = assertionRule({
  id: "assertion.foreign",
  title: "The assertion is not one that this server issued itself",
  see: "Identity Assertion JWT Authorization Grant, section 9.3",
  advice: "Present the assertion to the server that its 'aud' names.",
  problem: ({ isOurs }) => isOurs ? "this server issued it itself" : undefined,
});

export const assertionIssuerIsTrusted: Rule<{ isTrusted: boolean }> = assertionRule({
  id: "assertion.issuer",
  title: "The issuer of the assertion is trusted for this client",
  advice: "Add the issuer to 'trustedIssuers', with this client among its 'clients'.",
  problem: ({ isTrusted }) => isTrusted ? undefined : "its issuer is not trusted for this client",
});

export const assertionIsSigned: Rule<{ problem: string | undefined }> = assertionRule({
  id: "assertion.signature",
  title: "The assertion is a JWT that its issuer signed, of an allowed type",
  advice: "Sign it with a published key of its issuer, and set an allowed 'typ'.",
  problem: ({ problem }) => problem,
});

export const assertionUserIsActive: Rule<{ isActive: boolean }> = assertionRule({
  id: "assertion.user",
  title: "The 'sub' of the assertion is an active user",
  advice: "Add the user, or name the user for this 'sub' in the 'users' of the trusted issuer.",
  problem: ({ isActive }) => isActive ? undefined : "its 'sub' is not an active user",
});

export const assertionIsUnused: Rule<{ isFirst: boolean }> = assertionRule({
  id: "assertion.unused",
  title: "The assertion is used for the first time",
  advice: "Get a new assertion for each request.",
  problem: ({ isFirst }) => isFirst ? undefined : "its 'jti' was used before",
});

/** The rules of the claims, in the order in which they apply (RFC 7523; RFC 10070, section 4). */
export const assertionRules: ReadonlyArray<Rule<PresentedAssertion>> = [
  assertionRule({
    id: "assertion.iss",
    title: "The assertion names its issuer once",
    advice: "Write each claim once.",
    problem: ({ claims, unverified }) =>
      claims.iss === unverified.issuer ? undefined : "its 'iss' is ambiguous",
  }),
  assertionRule({
    id: "assertion.sub",
    title: "The assertion names its subject",
    advice: "Set the 'sub' to the identifier of the user.",
    problem: ({ claims: { sub } }) => isText(sub) ? undefined : "it has no 'sub'",
  }),
  assertionRule({
    id: "assertion.audience",
    title: "The assertion is meant for this server alone",
    advice: "Set the 'aud' to the issuer of this server, as its metadata has it.",
    problem: ({ claims: { aud }, unverified: { isIdJag }, issuer }) => {
      // Only the draft of the ID-JAG allows a list, with this one entry (section 4.4.1).
      const audience = isIdJag && Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
      return audience === issuer ? undefined : `its 'aud' is not the single string '${issuer}'`;
    },
  }),
  assertionRule({
    id: "assertion.jti",
    title: "The assertion has an id, so that it can be used only once",
    advice: "Give each assertion a new 'jti'.",
    problem: ({ claims: { jti } }) => isText(jti) ? undefined : "it has no 'jti'",
  }),
  assertionRule({
    id: "assertion.client",
    title: "The assertion is meant for this client, if it names one, as an ID-JAG must",
    see: "Identity Assertion JWT Authorization Grant, section 4.4.1",
    advice: "Let the client that the 'client_id' names present the assertion.",
    problem: ({ claims: { client_id }, unverified: { isIdJag }, clientId }) =>
      client_id === clientId || (client_id === undefined && !isIdJag)
        ? undefined
        : "its 'client_id' is not this client",
  }),
  assertionRule({
    id: "assertion.scope_form",
    title: "The scope of the assertion is well-formed, if it has one",
    advice: "Write the scope as one string, with single spaces between its tokens.",
    // A malformed restriction must not be read as no restriction.
    problem: ({ claims: { scope } }) =>
      scope === undefined || isScope(scope)
        ? undefined
        : "its 'scope' is not a list of tokens separated by single spaces",
  }),
  assertionRule({
    id: "assertion.resource_form",
    title: "The resource of the assertion is well-formed, if it has one",
    advice: "Write the resource as a URI, or as a list of URIs.",
    problem: ({ claims: { resource } }) =>
      resource === undefined || areStrings(resource)
        ? undefined
        : "its 'resource' is neither a string nor a list of strings",
  }),
  assertionRule({
    id: "assertion.times",
    title: "The assertion is valid now, and not for long",
    advice: "Get a new assertion, and set the clocks of both servers.",
    problem: ({ claims, now, unverified: { isIdJag } }) =>
      isIdJag && claims.iat === undefined
        ? "it has no 'iat'"
        : jwtTimesProblem(claims, now, { needsExp: true, maxLifetime: 1 * hour, fromIat: true }),
  }),
  assertionRule({
    id: "assertion.key",
    title: "The request proves the key that the assertion is bound to, if it is bound",
    see: "Identity Assertion JWT Authorization Grant, section 9.8.1.2",
    advice: "Send a DPoP proof, signed with the key that the assertion was requested with.",
    problem: ({ claims: { cnf }, jkt }) => {
      if (cnf === undefined) return undefined;
      const isProven = isObject(cnf) && isText(cnf.jkt) && cnf.jkt === jkt;
      return isProven ? undefined : "the request does not prove the key in its 'cnf'";
    },
  }),
];

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function areStrings(value: unknown): boolean {
  const values = [value].flat();
  return values.length > 0 && values.every((each) => typeof each === "string");
}
