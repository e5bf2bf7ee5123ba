import type { JwtClaims } from "../../protocol/jwt.ts";
import { workloadPrefix } from "../../protocol/reserved_ids.ts";
import { isObject } from "../../util/text/json.ts";
import type { WorkloadIssuer } from "./config.ts";

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

/** Whether an id is the subject of a workload. */
export function isWorkload(id: string): boolean {
  return id.startsWith(workloadPrefix);
}

/** Returns the name of the issuer in the subject of a workload, or undefined for any other text. */
export function issuerNameIn(subject: string): string | undefined {
  if (!isWorkload(subject)) return undefined;
  return subject.slice(workloadPrefix.length).split(":", 1)[0];
}
