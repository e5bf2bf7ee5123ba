import { describeValue, ruleSet } from "../../protocol/rule.ts";
import { day, hour, minute } from "../../util/time/duration.ts";
import {
  aboutAssertion,
  externalJwt,
  isText,
  onlyEntry,
  type PresentedClaims,
  timesProblem,
  withProblem,
} from "./assertion_rules.ts";
import { workloadSubject } from "./workload.ts";

/** How long the subject of a workload may be, in characters. */
const maxSubjectLength = 255;

/** How long a token may live, in seconds. Azure writes times of five minutes ago into a new one. */
const maxLifetimes = { usedOnce: 1 * hour, reusable: 1 * day + 5 * minute };

const draft = "MCP Workload Identity Federation, section";

const about = { ...aboutAssertion, see: `${draft} 'JWT Requirements'` } as const;

/** A verified token of a workload, and the name of its issuer in the configuration. */
interface PresentedWorkloadToken extends PresentedClaims {
  name: string;
  /** Whether its issuer lets it be used until it expires. */
  isReusable: boolean;
}

export const workloadRules = ruleSet("workload", about, {
  signature: externalJwt.signature,
  unused: externalJwt.unused,
  key: { ...externalJwt.key, see: "RFC 9449, section 6" },
  issuer: {
    see: `${draft} 'Issuer Trust Relationship'`,
    title: "Without a client, the issuer of the assertion must be trusted for workloads",
    fix: "Add the issuer to 'workloadIssuers', or authenticate as a client.",
    holds: ({ isTrusted }: { isTrusted: boolean; issuer: string | undefined }) => isTrusted,
    expected: () => "a JWT of a trusted issuer",
    received: ({ issuer }) => issuer === undefined ? "no JWT" : describeValue(issuer),
  },
  known: {
    see: `${draft} 'Workload Trust Relationship'`,
    title: "The claims of the assertion must be those of a configured workload",
    fix: "Add the workload to the 'workloads' of its issuer, with the claims of its token.",
    holds: ({ isKnown }: { isKnown: boolean }) => isKnown,
  },
  resource: {
    see: "RFC 8707, section 2",
    parameter: "resource",
    error: "invalid_target",
    title: "The resource must be one that the workload may have tokens for",
    fix: "Add the resource to the entry of the workload, or request another one.",
    holds: ({ isCovered }: { isCovered: boolean; resources: readonly string[] }) => isCovered,
    received: ({ resources }) => resources.join(" ") || "no resource",
  },
});

/** The rules of the claims, in the order in which they apply. */
export const workloadClaimRules = ruleSet("workload", about, {
  sub: {
    title: "The 'sub' of the assertion must identify its workload, and must not be too long",
    holds: ({ claims: { sub }, name }: PresentedWorkloadToken) =>
      isText(sub) && workloadSubject(name, sub).length <= maxSubjectLength,
  },
  audience: {
    title: "The 'aud' of the assertion must be the configured audience alone",
    fix: "Request the token from the platform with the audience of the configuration.",
    // Kubernetes writes a list.
    holds: ({ claims: { aud }, audience }: PresentedWorkloadToken) => onlyEntry(aud) === audience,
    expected: ({ audience }) => audience,
    received: ({ claims }) => describeValue(claims.aud),
  },
  jti: {
    ...externalJwt.jti,
    fix: "Give each assertion a new 'jti', or set 'reusable' for an issuer that gives none.",
    holds: (presented: PresentedWorkloadToken) =>
      presented.isReusable || externalJwt.jti.holds(presented),
  },
  times: {
    title: "The assertion must be valid now, and for at most an hour, or a day if it is reusable",
    fix: "Get a new assertion, and set the clocks of both servers.",
    ...withProblem(({ claims, now, isReusable }: PresentedWorkloadToken) =>
      timesProblem(claims, now, {
        needsIat: true,
        maxLifetime: isReusable ? maxLifetimes.reusable : maxLifetimes.usedOnce,
      })
    ),
  },
});
