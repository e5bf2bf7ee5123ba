import type { FeatureRow } from "../feature_row.ts";
import type { GivenLabConfig } from "../lab_server/core_lab_config.ts";

/** Completes the settings of a lab or a tenant, which may lack the issuer. */
export type CompleteSettings = <Given extends GivenLabConfig>(given: Given) => Given;

/**
 * Loads what completes the settings of a lab or a tenant with those of the features that they ask
 * for.
 */
export async function loadCompletion(
  given: GivenLabConfig,
  features: readonly FeatureRow[],
): Promise<CompleteSettings> {
  const loaded = await Promise.all(features.map((each) => each.loadCompletion?.(given, features)));
  return (config) => loaded.reduce((before, addTo) => ({ ...before, ...addTo?.(before) }), config);
}
