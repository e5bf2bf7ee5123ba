import { isObject } from "../util/text/json.ts";
import { hour } from "../util/time/duration.ts";
import { assertionRule } from "./bearer_assertion_rules.ts";
import { type JwtClaims, jwtTimesProblem } from "./jwt.ts";
import type { Rule } from "./rule.ts";
import { workloadSubject } from "./workload.ts";

const see = "MCP Workload Identity Federation, section 'JWT Requirements'";

/** How long the subject of a workload may be, in characters. */
const maxSubjectLength = 255;

/** A verified token of a workload, and what its claims must match. */
export interface PresentedWorkloadToken {
  claims: JwtClaims;
  issuer: string;
  name: string;
  /** The required `aud`. */
  audience: string;
  /** In seconds. */
  now: number;
}

export const workloadIssuerIsTrusted: Rule<{ isTrusted: boolean }> = assertionRule({
  id: "workload.issuer",
  title: "A request without a client brings the token of a workload whose issuer is trusted",
  see: "MCP Workload Identity Federation, section 'Issuer Trust Relationship'",
  advice: "Add the issuer to 'workloadIssuers', or authenticate as a client.",
  problem: ({ isTrusted }) => isTrusted ? undefined : "its issuer is not trusted for workloads",
});

export const workloadTokenIsSigned: Rule<{ problem: string | undefined }> = assertionRule({
  id: "workload.signature",
  title: "The token of the workload is a JWT that its issuer signed",
  see,
  advice: "Send the token unchanged. Its issuer must publish the key that signed it.",
  problem: ({ problem }) => problem,
});

export const workloadIsKnown: Rule<{ isKnown: boolean }> = assertionRule({
  id: "workload.known",
  title: "The claims of the token are those of a configured workload",
  see: "MCP Workload Identity Federation, section 'Workload Trust Relationship'",
  advice: "Add the workload to the 'workloads' of its issuer, with the claims of its token.",
  problem: ({ isKnown }) => isKnown ? undefined : "it is not of a configured workload",
});

export const workloadTokenIsUnused: Rule<{ isFirst: boolean }> = assertionRule({
  id: "workload.unused",
  title: "The token of the workload is used for the first time",
  see,
  advice: "Get a new token from the platform for each request.",
  problem: ({ isFirst }) => isFirst ? undefined : "its 'jti' was used before",
});

/** What the rules of a workload leave, and what a request asks for. */
interface WorkloadTargets {
  isCovered: boolean;
  resources: readonly string[];
}

export const workloadResourceIsAllowed: Rule<WorkloadTargets> = {
  id: "workload.resource",
  title: "The workload may have tokens for the requested resources",
  see: "RFC 8707, section 2",
  parameter: "resource",
  error: "invalid_target",
  message: "This workload may not have tokens for this resource.",
  advice: "Add the resource to the entry of the workload, or request another one.",
  holds: ({ isCovered }) => isCovered,
  came: ({ resources }) => resources.join(" ") || "no resource",
};

/** The rules of the claims, in the order in which they apply. */
export const workloadTokenRules: ReadonlyArray<Rule<PresentedWorkloadToken>> = [
  assertionRule({
    id: "workload.sub",
    title: "The token names its workload",
    see,
    advice: "Use a token whose 'sub' identifies the workload.",
    problem: ({ claims: { sub }, name }) => {
      if (typeof sub !== "string" || sub === "") return "it has no 'sub'";
      return workloadSubject({ name }, sub).length > maxSubjectLength
        ? "its 'sub' is too long"
        : undefined;
    },
  }),
  assertionRule({
    id: "workload.audience",
    title: "The token of the workload is meant for this server alone",
    see,
    advice: "Request the token from the platform with the audience of the configuration.",
    // Kubernetes writes a list.
    problem: ({ claims: { aud }, audience }) => {
      const only = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
      return only === audience ? undefined : `its 'aud' is not '${audience}' alone`;
    },
  }),
  assertionRule({
    id: "workload.jti",
    title: "The token of the workload has an id, so that it can be used only once",
    see,
    advice: "Use a platform that gives each token a 'jti'.",
    problem: ({ claims: { jti } }) =>
      typeof jti === "string" && jti !== "" ? undefined : "it has no 'jti'",
  }),
  assertionRule({
    id: "workload.times",
    title: "The token of the workload is valid now, and not for long",
    see,
    advice: "Get a new token from the platform, which lives for at most an hour.",
    problem: ({ claims, now }) =>
      claims.iat === undefined
        ? "it has no 'iat'"
        : jwtTimesProblem(claims, now, { needsExp: true, maxLifetime: 1 * hour, fromIat: true }),
  }),
];

export const workloadKeyIsProven: Rule<{ cnf: unknown; jkt: string | undefined }> = assertionRule({
  id: "workload.key",
  title: "The request proves the key that the token of the workload is bound to, if it is bound",
  see: "RFC 9449, section 6",
  advice: "Send a DPoP proof, signed with the key in the 'cnf' of the token.",
  problem: ({ cnf, jkt }) => {
    if (cnf === undefined) return undefined;
    const isProven = isObject(cnf) && typeof cnf.jkt === "string" && cnf.jkt === jkt;
    return isProven ? undefined : "the request does not prove the key in its 'cnf'";
  },
});
