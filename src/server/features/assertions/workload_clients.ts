import type { Settings } from "../../config/settings.ts";
import type { Client } from "../../model/client.ts";
import { clientDefaults } from "../../model/client_defaults.ts";
import type { ClientReference } from "../../model/client_identity.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { canonicalJson } from "../../util/text/json.ts";
import { assertionIssuers, type WorkloadIssuer, type WorkloadRule } from "./config.ts";
import { issuerNameIn } from "./workload.ts";

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

function issuersNamedIn(settings: Settings, id: string): WorkloadIssuer[] {
  const name = issuerNameIn(id);
  if (name === undefined) return [];
  const { workloadIssuers } = assertionIssuers.of(settings);
  return [...workloadIssuers.values()].filter((issuer) => issuer.name === name);
}

/**
 * Returns the mark of a rule, which is the epoch of the workloads that it lets in: what they got
 * ends when the rule is changed or removed.
 */
export async function ruleEpoch({ issuer }: WorkloadIssuer, rule: WorkloadRule): Promise<string> {
  return await sha256(canonicalJson([issuer, rule]));
}

/**
 * Returns a workload as the client of its tokens. A profile that binds the tokens of all clients to
 * their keys binds these, too.
 */
export function workloadClient({ profile }: Pick<Settings, "profile">, id: string): Client {
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
