import type { ReportProblem } from "../../server/config/problems.ts";
import type { SettingsUnderCheck } from "../lab_server/check_lab_settings.ts";
import type { ClientDefaults, CoreLabConfig } from "../lab_server/core_lab_config.ts";

/** A setting by which a lab is less strict than a server. What it does to requests is a layer. */
export interface LabLeniency {
  /** Returns what is on, as the report lists it: `"redirectStatus: 302"`. */
  names(config: CoreLabConfig): string[];
  /** Returns what clients have because of it, if they do not have their own. */
  clientDefaults?(config: CoreLabConfig): ClientDefaults | undefined;
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

/** What the settings of a feature permit, and must not contradict. */
export interface CheckedFeature {
  /** Reports contradictions between its settings, each of which is well-formed, and others. */
  checkSettings?(settings: SettingsUnderCheck, report: ReportProblem): void;
  /** What its settings permit that a server refuses. */
  readonly leniency?: LabLeniency;
}
