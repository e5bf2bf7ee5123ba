import type { ImplementedFeatures } from "./config/check_config.ts";
import { coreConfigSchema } from "./config/config_data.ts";
import { withFeatures } from "./config/feature_config.ts";
import type { Settings } from "./config/settings.ts";
import type { Route } from "./endpoints/route.ts";
import type { Feature } from "./feature.ts";
import { authorizationCodeGrant } from "./grants/authorization_code.ts";
import { clientCredentialsGrant } from "./grants/client_credentials.ts";
import type { Grant } from "./grants/grant.ts";
import { refreshTokenGrant } from "./grants/refresh_token.ts";
import type { Abilities, ActiveFeatures } from "./issuer/active_features.ts";
import { coreParameters } from "./protocol/form_parameters.ts";
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
  /** The parameters and members of features whose values are secrets. */
  readonly secrets: readonly string[];
  /** The parameters of all requests, those of the core among them. */
  readonly parameters: ReadonlySet<string>;
}

export function featureParts(features: readonly Feature[]): FeatureParts {
  for (const { name, needs = [] } of features) {
    const missing = needs.find((each) => !features.includes(each));
    if (missing) throw new Error(`The feature '${name}' needs '${missing.name}'.`);
  }
  const configs = features.flatMap(({ config = [] }) => config);
  const added = [...coreGrants, ...features.flatMap(({ grants = [] }) => grants)];
  checkOnce("grant", added.map(({ type }) => type));
  const known = grantTypeOrder.flatMap((type) => added.find((grant) => grant.type === type) ?? []);
  const grants = [...known, ...added.filter((grant) => !known.includes(grant))];
  const issued = features.flatMap(({ presented = [] }) => presented)
    .map(({ parameter }) => parameter);
  checkOnce("parameter", issued);
  const secrets = [...issued, ...features.flatMap((feature) => feature.secrets ?? [])];
  const others = features.flatMap((feature) => feature.parameters ?? []);
  return {
    features,
    grants,
    fixedRoutes: features.flatMap(({ fixedRoutes = [] }) => fixedRoutes),
    implemented: {
      grants: grants.map(({ type }) => type),
      configs,
      schema: withFeatures(coreConfigSchema, configs),
    },
    secrets,
    parameters: new Set([...coreParameters, ...secrets, ...others]),
  };
}

/** Returns what these features do for the core under some settings. */
export function activeFeaturesOf(
  { features, secrets, parameters }: FeatureParts,
  settings: Settings,
  table: readonly Route[],
): ActiveFeatures {
  const all: ReadonlyArray<Partial<Abilities>> = features.flatMap((each) => [
    each,
    each.under?.(settings) ?? {},
  ]);
  const completing = all.filter(({ completionOf }) => completionOf);
  return {
    completionOf: (pending) =>
      only("complete the same request", completing, (each) => each.completionOf?.(pending)),
    waitingFor: async (ctx, user) =>
      (await Promise.all(all.map(({ waitingFor }) => waitingFor?.(ctx, user) ?? []))).flat(),
    presented: all.flatMap(({ presented = [] }) => presented),
    registeredClients: only("register clients", all, (each) => each.registeredClients),
    documentClients: only("read documents of clients", all, (each) => each.documentClients),
    workloadClients: only("know workloads", all, (each) => each.workloadClients),
    sessionEnds: all.flatMap(({ sessionEnds = [] }) => sessionEnds),
    tasks: all.flatMap(({ tasks = [] }) => tasks),
    cipher: only("encrypt the same texts", all, (each) => each.cipher),
    envelope: only("encrypt what clients get", all, (each) => each.envelope),
    requestAt: only("read requests", all, (each) => each.requestAt),
    connectionProof: only("read what connections prove", all, (each) => each.connectionProof),
    signInName: only("find the user of a sign-in", all, (each) => each.signInName),
    verifyPassword: only("verify passwords", all, (each) => each.verifyPassword),
    passkeys: only("sign users in by passkey", all, (each) => each.passkeys),
    loggedDetails: only("describe refusals", all, (each) => each.loggedDetails),
    secrets,
    parameters,
    hasPage: (path) => table.some((route) => route.method === "GET" && route.path === path),
  };
}

/** Returns what at most one feature may do, if there is one. */
function only<Part>(
  what: string,
  all: ReadonlyArray<Partial<Abilities>>,
  partOf: (each: Partial<Abilities>) => Part | undefined,
): Part | undefined {
  const [first, ...others] = all.flatMap((each) => partOf(each) ?? []);
  if (others.length > 0) throw new Error(`Two features ${what}.`);
  return first;
}

/** Throws if two parts of a server define the same. */
export function checkOnce(what: string, names: readonly string[]): void {
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) throw new Error(`The ${what} '${twice}' is defined twice.`);
}
