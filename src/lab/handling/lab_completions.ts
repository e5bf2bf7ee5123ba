import type { CoreLab, Tenants } from "../core/core_lab.ts";
import { enterprise } from "../features/enterprise/handling/feature.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import type { CompleteSettings, LabCompletion } from "./lab_completion.ts";

const completions: readonly LabCompletion[] = [
  enterprise,
];

/** Loads what completes the settings of a lab with those of the features that they ask for. */
export async function loadCompletion(given: Partial<LabConfig>): Promise<CompleteSettings> {
  const loaded = await Promise.all(completions.map((each) => each.loadCompletion(given)));
  return (config) => loaded.reduce((before, complete) => complete?.(before) ?? before, config);
}

/** Returns the settings of a lab with what its features let the server reach in its tenants. */
export function withReachableTenants(config: LabConfig, tenants: Tenants<CoreLab>): LabConfig {
  return completions.reduce((before, each) => each.withReachableTenants(before, tenants), config);
}

/** Opens what the features of a lab have beside it. */
export async function openCompletions(lab: CoreLab, config: LabConfig): Promise<void> {
  for (const each of completions) await each.open(lab, config);
}
