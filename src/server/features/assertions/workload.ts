import { workloadPrefix } from "../../config/formats.ts";
import type { Settings } from "../../config/settings.ts";
import { type Client, clientDefaults, type ClientReference } from "../../model/client.ts";
import type { JwtClaims } from "../../protocol/jwt.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { canonicalJson, isObject } from "../../util/text/json.ts";
import { assertionIssuers, type WorkloadIssuerConfig, type WorkloadRuleConfig } from "./config.ts";

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

/**
 * Returns the subject of a workload, by the name of its issuer. All but visible ASCII characters are
 * encoded, so that no two workloads have the same subject.
 */
export function workloadSubject(issuer: string, sub: string): string {
  const encoded = sub.replace(/[^\x21-\x7e]|%/gu, (character) => encodeURIComponent(character));
  return `${workloadPrefix}${issuer}:${encoded}`;
}

export function isWorkload(id: string): boolean {
  return id.startsWith(workloadPrefix);
}

/**
 * Finds the workload that a token was issued to, as long as its issuer is configured. It is a
 * client that no request can name: it has no secret and no key, and may use no grant.
 */
export function findWorkload(
  settings: Settings,
  id: string,
): Client | undefined {
  return issuersNamedIn(settings, id).length > 0 ? workloadClient(settings, id) : undefined;
}

/**
 * Finds the workload that a token was issued to, as long as the rule is configured that the token
 * was issued by.
 */
export async function findReferredWorkload(
  settings: Settings,
  { clientId, clientEpoch }: ClientReference,
): Promise<Client | undefined> {
  const epochs = issuersNamedIn(settings, clientId)
    .flatMap((issuer) => issuer.workloads.map((rule) => ruleEpoch(issuer, rule)));
  const epoch = (await Promise.all(epochs)).find((each) => each === clientEpoch);
  return epoch === undefined ? undefined : { ...workloadClient(settings, clientId), epoch };
}

/**
 * Returns the mark of a rule, which is the epoch of the workloads that it lets in: what they got
 * ends when the rule is changed or removed.
 */
export async function ruleEpoch(
  { issuer }: WorkloadIssuerConfig,
  rule: WorkloadRuleConfig,
): Promise<string> {
  return await sha256(canonicalJson([issuer, rule]));
}

/**
 * Returns a workload as the client of its tokens. A profile that binds the tokens of all clients to
 * their keys binds these, too.
 */
export function workloadClient({ profile }: Settings, id: string): Client {
  return {
    ...clientDefaults,
    dpop: profile.client.dpop ?? clientDefaults.dpop,
    id,
    name: id,
    sector: id,
    secrets: [],
    authentication: [],
    authorizationDetailsTypes: [],
    defaultScope: [],
    grantTypes: [],
    scopes: [],
    rememberConsent: false,
    requirePar: false,
    trusted: true,
  };
}

function isIdentifier(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}

function issuersNamedIn(settings: Settings, id: string): WorkloadIssuerConfig[] {
  const name = issuerNameIn(id);
  if (name === undefined) return [];
  const { workloadIssuers } = assertionIssuers.of(settings);
  return [...workloadIssuers.values()].filter((issuer) => issuer.name === name);
}

/** Returns the name of the issuer in the subject of a workload, or undefined for any other text. */
function issuerNameIn(subject: string): string | undefined {
  if (!isWorkload(subject)) return undefined;
  return subject.slice(workloadPrefix.length).split(":", 1)[0];
}
