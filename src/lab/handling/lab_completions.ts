import type { OutboundFetch } from "../../server/http/outbound_fetch.ts";
import type { CoreLab } from "../core/core_lab.ts";
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

/** Returns a fetch with what these features do to the requests that the server of a lab sends. */
export function completeOutbound(send: OutboundFetch, lab: CoreLab): OutboundFetch {
  return completions.reduce((sent, each) => each.outbound(sent, lab), send);
}

/** Opens what the features of a lab have beside it. */
export async function openCompletions(lab: CoreLab, config: LabConfig): Promise<void> {
  for (const each of completions) await each.open(lab, config);
}
