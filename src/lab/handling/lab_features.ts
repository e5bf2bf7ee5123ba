import type { CoreLab, Tenants } from "../core/core_lab.ts";
import { enterprise } from "../features/enterprise/handling/feature.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import type { CompleteSettings, LabCompletion } from "./lab_feature.ts";

const labFeatures: readonly LabCompletion[] = [
  enterprise,
];

/** Loads what completes the settings of a lab with those of the features that they ask for. */
export async function loadCompletion(given: Partial<LabConfig>): Promise<CompleteSettings> {
  const completions = await Promise.all(labFeatures.map((each) => each.loadCompletion(given)));
  return (config) => completions.reduce((before, complete) => complete?.(before) ?? before, config);
}

/** Returns the settings of a lab with what its features let the server reach in its tenants. */
export function withTenants(config: LabConfig, tenants: Tenants<CoreLab>): LabConfig {
  return labFeatures.reduce((before, each) => each.withTenants(before, tenants), config);
}

/** Opens what the features of a lab have beside it. */
export async function openFeatures(lab: CoreLab, config: LabConfig): Promise<void> {
  for (const each of labFeatures) await each.open(lab, config);
}
