import type { ImplementedParts } from "./config/check_config.ts";
import { withFeatures } from "./config/feature_config.ts";
import { coreConfigSchema } from "./config/schemas.ts";
import type { Settings } from "./config/settings.ts";
import type { Route } from "./endpoints/route.ts";
import type { Feature } from "./feature.ts";
import type { Grant } from "./grants/grant.ts";
import { coreGrants } from "./grants/grants.ts";
import type { FeatureAnswers } from "./issuer/context.ts";
import { grantTypeOrder } from "./protocol/grant_types.ts";

/** What follows from the features of a server alone: all servers of a process share it. */
export type FeatureParts = Pick<ImplementedParts, "grants" | "configs" | "schema">;

export function featureParts(features: readonly Feature[]): FeatureParts {
  checkNeeds(features);
  const configs = features.flatMap(({ config = [] }) => config);
  return {
    grants: grantsOf(features).map(({ type }) => type),
    configs,
    schema: withFeatures(coreConfigSchema, configs),
  };
}

/** Returns the grants of a server with these features, in the order in which they are listed. */
export function grantsOf(features: readonly Feature[]): Grant[] {
  const all = [...coreGrants, ...features.flatMap(({ grants = [] }) => grants)];
  checkOnce("grant", all.map(({ type }) => type));
  const known = grantTypeOrder.flatMap((type) => all.find((grant) => grant.type === type) ?? []);
  return [...known, ...all.filter((grant) => !known.includes(grant))];
}

/** Returns what the working parts of the core ask these features. */
export function answersOf(
  features: readonly Feature[],
  settings: Settings,
  table: readonly Route[],
): FeatureAnswers {
  const presented = features.flatMap((feature) => feature.presented ?? []);
  checkOnce("parameter", presented.map(({ parameter }) => parameter));
  const completions = features.flatMap(({ completionOf = [] }) => completionOf);
  return {
    presented,
    completionOf: (pending) =>
      only("complete the same request", completions.flatMap((each) => each(pending) ?? [])),
    clientSources: features.flatMap(({ clientSource = [] }) => clientSource)
      .filter(({ enabled }) => enabled?.(settings) ?? true),
    sessionEnds: features.flatMap(({ sessionEnd = [] }) => sessionEnd),
    tasks: features.flatMap((feature) => feature.tasks ?? []),
    cipher: only(
      "encrypt the same texts",
      features.flatMap((each) => each.cipher?.(settings) ?? []),
    ),
    envelope: only("encrypt what clients get", features.flatMap(({ envelope = [] }) => envelope)),
    connectionProof: only(
      "read what connections prove",
      features.flatMap((each) => each.connectionProof?.(settings) ?? []),
    ),
    hasPage: (path) => table.some((route) => route.method === "GET" && route.path === path),
  };
}

/** Returns what at most one feature may do, if there is one. */
function only<Part>(what: string, [first, ...others]: readonly Part[]): Part | undefined {
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
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`The ${what} '${twice}' is defined twice.`);
}
