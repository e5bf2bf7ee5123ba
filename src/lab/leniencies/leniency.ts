import type { ReportProblem } from "../../server/config/problems.ts";
import type { CoreLab } from "../core/core_lab.ts";
import type { PowersUnderCheck } from "../lab_server/check_lab_settings.ts";
import type { ClientDefaults, CoreLabConfig, GivenLabConfig } from "../lab_server/lab_config.ts";
import type { ServerFeature } from "../lab_server/lab_server.ts";
import type { AddedTokens } from "../tokens/mint_options.ts";

/** What a feature brings to every lab, with its row. */
export interface FeatureRow extends ServerFeature {
  /** Reports contradictions between its settings, each of which is well-formed, and others. */
  checkSettings?(powers: PowersUnderCheck, report: ReportProblem): void;
  /** Kinds of tokens that no token response has, each with what signs one about a subject. */
  readonly tokens?: AddedTokens;
  /** What its settings permit that a server refuses. */
  readonly leniency?: LabLeniency;
  /**
   * Loads what adds settings of the feature to those of a lab or a tenant; undefined if they do not
   * ask for it.
   */
  loadCompletion?(
    given: GivenLabConfig,
    features: readonly ServerFeature[],
  ): Promise<((config: GivenLabConfig) => GivenLabConfig) | undefined>;
  /** Opens the tenants that its settings ask for, once the whole lab is open. */
  openTenants?(lab: CoreLab, config: CoreLabConfig): Promise<void>;
}

/** A setting by which a lab is less strict than a server. What it does to requests is a layer. */
export interface LabLeniency {
  /** Returns what is on, as the report lists it: `"redirectStatus: 302"`. */
  names(config: CoreLabConfig): string[];
  /** Returns what clients have because of it, if they do not have their own. */
  clientDefaults?(config: CoreLabConfig): ClientDefaults | undefined;
  /** Reports what a profile forbids. */
  checkProfile?(config: CoreLabConfig, profile: string, report: ReportProblem): void;
}

/** A leniency that is on or off. No profile permits it. */
export function switchable<Name extends string>(name: Name): LabLeniency {
  type Switch = CoreLabConfig & { readonly [Switched in Name]?: unknown };
  return {
    names: (config: Switch) => config[name] ? [name] : [],
    checkProfile(config: Switch, profile, report) {
      if (config[name]) report(name, `is forbidden by the profile ${profile}`);
    },
  };
}
