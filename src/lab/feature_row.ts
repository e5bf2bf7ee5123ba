import type { CoreLab } from "./core/core_lab.ts";
import type { CoreLabConfig, GivenLabConfig } from "./lab_server/core_lab_config.ts";
import type { ServerDefaults } from "./lab_server/create_server.ts";
import type { CheckedFeature } from "./leniencies/leniency.ts";
import type { AddedTokens } from "./tokens/mint_options.ts";

/** What a feature brings to every lab, with its row. */
export interface FeatureRow extends ServerDefaults, CheckedFeature {
  /** Kinds of tokens that no token response has, each with what signs one about a subject. */
  readonly tokens?: AddedTokens;
  /**
   * Loads what adds settings of the feature to those of a lab or a tenant; undefined if they do not
   * ask for it.
   */
  loadCompletion?(
    given: GivenLabConfig,
    features: readonly ServerDefaults[],
  ): Promise<((config: GivenLabConfig) => GivenLabConfig) | undefined>;
  /** Opens the tenants that its settings ask for, once the whole lab is open. */
  openTenants?(lab: CoreLab, config: CoreLabConfig): Promise<void>;
}
