import type { CoreLab } from "../core/core_lab.ts";
import type { CoreLabConfig } from "../lab_server/lab_config.ts";
import type { ServerFeature } from "../lab_server/lab_server.ts";

/** Completes the settings of a lab. */
export type CompleteSettings = (config: CoreLabConfig) => CoreLabConfig;

/** What a feature makes of a whole lab whose settings ask for it. */
export interface WholeLabFeature extends ServerFeature {
  /**
   * Loads what completes the settings of a lab with these features; undefined if the settings do
   * not ask for it.
   */
  loadCompletion?(
    given: Partial<CoreLabConfig>,
    features: readonly ServerFeature[],
  ): Promise<CompleteSettings | undefined>;
  /** Opens what the lab has besides itself, once it is open. */
  openBeside?(lab: CoreLab, config: CoreLabConfig): Promise<void>;
}

/** Loads what completes the settings of a lab with those of the features that they ask for. */
export async function loadCompletion(
  given: Partial<CoreLabConfig>,
  features: readonly WholeLabFeature[],
): Promise<CompleteSettings> {
  const loaded = await Promise.all(features.map((each) => each.loadCompletion?.(given, features)));
  return (config) => loaded.reduce((before, complete) => complete?.(before) ?? before, config);
}
