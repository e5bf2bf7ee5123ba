import { features } from "../../src/lab/features.ts";
import { loadCompletion } from "../../src/lab/handling/complete_settings.ts";
import type { LabConfig } from "../../src/lab/lab_config.ts";

/** Returns the settings of a lab with those of the features that they ask for. */
export async function completed<Given extends Partial<LabConfig>>(given: Given): Promise<Given> {
  const complete = await loadCompletion(given, features);
  return complete(given);
}
