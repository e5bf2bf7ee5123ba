import type { ImplementedFeatures } from "./config/check_config.ts";
import { coreConfigSchema } from "./config/config_data.ts";
import { addedSettings, withFeatures } from "./config/feature_config.ts";
import type { Settings } from "./config/settings.ts";
import type { Route } from "./endpoints/route.ts";
import type { Feature } from "./feature.ts";
import { authorizationCodeGrant } from "./grants/authorization_code.ts";
import { clientCredentialsGrant } from "./grants/client_credentials.ts";
import type { Grant } from "./grants/grant.ts";
import { refreshTokenGrant } from "./grants/refresh_token.ts";
import type { ActiveFeatures, AlwaysActiveFeatures } from "./issuer/active_features.ts";
import { coreParameters } from "./protocol/form_rules.ts";
import { grantTypeOrder } from "./protocol/grant_types.ts";

export const coreGrants: readonly Grant[] = [
  authorizationCodeGrant,
  refreshTokenGrant,
  clientCredentialsGrant,
];

/** What follows from the features of a server alone: all servers of a process share it. */
export interface FeatureParts {
  readonly features: readonly Feature[];
  /** The grants of a server with these features, in the order in which they are listed. */
  readonly grants: readonly Grant[];
  readonly fixedRoutes: readonly Route[];
  readonly implemented: ImplementedFeatures;
  readonly active: AlwaysActiveFeatures;
}

export function featureParts(features: readonly Feature[]): FeatureParts {
  checkNeeds(features);
  const configs = features.flatMap(({ config = [] }) => config);
  const grants = grantsOf(features);
  const presented = features.flatMap((feature) => feature.presented ?? []);
  const issued = presented.map(({ parameter }) => parameter);
  checkOnce("parameter", issued);
  const secrets = [...issued, ...features.flatMap((feature) => feature.secrets ?? [])];
  const others = features.flatMap((feature) => feature.parameters ?? []);
  const completing = features.filter(({ completionOf }) => completionOf);
  return {
    features,
    grants,
    fixedRoutes: features.flatMap(({ fixedRoutes = [] }) => fixedRoutes),
    implemented: {
      grants: grants.map(({ type }) => type),
      added: addedSettings(configs),
      schema: withFeatures(coreConfigSchema, configs),
    },
    active: {
      presented,
      secrets,
      parameters: new Set([...coreParameters, ...secrets, ...others]),
      completionOf: (pending) =>
        only("complete the same request", completing, (each) => each.completionOf?.(pending)),
      waitingFor: async (ctx, user) => {
        const lists = features.map(({ waitingFor }) => waitingFor?.(ctx, user) ?? []);
        return (await Promise.all(lists)).flat();
      },
      sessionEnds: features.flatMap(({ sessionEnd = [] }) => sessionEnd),
      tasks: features.flatMap((feature) => feature.tasks ?? []),
      requestAt: only("read requests", features, (each) => each.requestAt),
      loggedDetails: only("describe refusals", features, (each) => each.loggedDetails),
      verifyPassword: only("verify passwords", features, (each) => each.verifyPassword),
      envelope: only("encrypt what clients get", features, (each) => each.envelope),
    },
  };
}

function grantsOf(features: readonly Feature[]): Grant[] {
  const all = [...coreGrants, ...features.flatMap(({ grants = [] }) => grants)];
  checkOnce("grant", all.map(({ type }) => type));
  const known = grantTypeOrder.flatMap((type) => all.find((grant) => grant.type === type) ?? []);
  return [...known, ...all.filter((grant) => !known.includes(grant))];
}

/** Returns what these features do for the core under some settings. */
export function activeFeaturesOf(
  { features, active }: FeatureParts,
  settings: Settings,
  table: readonly Route[],
): ActiveFeatures {
  return {
    ...active,
    clientSources: features.flatMap(({ clientSource = [] }) => clientSource)
      .filter(({ enabled }) => enabled?.(settings) ?? true),
    cipher: only("encrypt the same texts", features, (each) => each.cipher?.(settings)),
    connectionProof: only(
      "read what connections prove",
      features,
      (each) => each.connectionProof?.(settings),
    ),
    signInName: only("find the user of a sign-in", features, (each) => each.signInName?.(settings)),
    hasPage: (path) => table.some((route) => route.method === "GET" && route.path === path),
  };
}

/** Returns what at most one feature may do, if there is one. */
function only<Part>(
  what: string,
  features: readonly Feature[],
  partOf: (feature: Feature) => Part | undefined,
): Part | undefined {
  const [first, ...others] = features.flatMap((each) => partOf(each) ?? []);
  if (others.length > 0) throw new Error(`Two features ${what}.`);
  return first;
}

/** Throws if a server lacks a feature that another one needs. */
function checkNeeds(features: readonly Feature[]): void {
  for (const { name, needs = [] } of features) {
    const missing = needs.find((each) => !features.includes(each));
    if (missing) throw new Error(`The feature '${name}' needs '${missing.name}'.`);
  }
}

/** Throws if two parts of a server define the same. */
export function checkOnce(what: string, names: readonly string[]): void {
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) throw new Error(`The ${what} '${twice}' is defined twice.`);
}
