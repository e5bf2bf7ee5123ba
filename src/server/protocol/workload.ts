import type { JWK } from "jose";
import { isObject } from "../util/text/json.ts";
import type { JwtClaims } from "./jwt.ts";

/** What the subjects of all workloads begin with. No user and no client has such an identifier. */
export const workloadPrefix = "workload:";

/** An issuer of identities for programs: Kubernetes, SPIFFE, a CI system. It names no user. */
export interface WorkloadIssuer {
  /** Its name in the subjects of its workloads: `kubernetes` in `workload:kubernetes:…`. */
  name: string;
  /** The `iss` of its tokens. */
  issuer: string;
  /**
   * The `aud` of its tokens, alone.
   *
   * @default the URL of the token endpoint
   */
  audience?: string;
  /** Its public keys. */
  jwks?: { keys: JWK[] };
  /**
   * The URL of its public keys, in place of `jwks`.
   *
   * @format url
   * @default the `jwks_uri` in its metadata (OpenID Connect Discovery)
   */
  jwksUri?: string;
  /**
   * Its workloads, and what they may have. The tokens that a rule let them have end when it is
   * changed or removed.
   */
  workloads: WorkloadRule[];
}

/** Workloads of an issuer, and the access that they may have. */
export interface WorkloadRule {
  /**
   * The claims that a token must have, with exactly these values. One must be by which the issuer
   * says who the workload is: `sub`, `repository_id`, `project_id`, or the `namespace` and the name
   * of the `serviceaccount` in `kubernetes.io`.
   */
  claims: Record<string, unknown>;
  /**
   * The resources that tokens may be for.
   *
   * @format audience
   */
  resources: string[];
  /**
   * The scopes that tokens may have.
   *
   * @format scope
   */
  scopes: string[];
}

/** Whether the claims of a token have all the values that a rule wants. */
export function hasClaims(claims: JwtClaims, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    if (!Object.hasOwn(claims, name)) return false;
    const claim = claims[name];
    return isObject(value) ? isObject(claim) && hasClaims(claim, value) : claim === value;
  });
}

/**
 * Whether claims say who a workload is. The issuer, the audience, the times and the branch of a
 * build do not: others have the same, or choose them.
 */
export function identifyWorkload(claims: Readonly<Record<string, unknown>>): boolean {
  const { sub, repository_id, project_id, "kubernetes.io": kubernetes } = claims;
  if ([sub, repository_id, project_id].some(isIdentifier)) return true;
  if (!isObject(kubernetes) || !isObject(kubernetes.serviceaccount)) return false;
  return isIdentifier(kubernetes.namespace) && isIdentifier(kubernetes.serviceaccount.name);
}

function isIdentifier(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}

/**
 * Returns the subject of a workload. All but visible ASCII characters are encoded, so that no two
 * workloads have the same subject.
 */
export function workloadSubject({ name }: Pick<WorkloadIssuer, "name">, sub: string): string {
  const encoded = sub.replace(/[^\x21-\x7e]|%/gu, (character) => encodeURIComponent(character));
  return `${workloadPrefix}${name}:${encoded}`;
}

/** Returns the name of the issuer in the subject of a workload, or undefined for any other text. */
export function issuerNameIn(subject: string): string | undefined {
  if (!subject.startsWith(workloadPrefix)) return undefined;
  return subject.slice(workloadPrefix.length).split(":", 1)[0];
}
