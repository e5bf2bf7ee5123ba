import type { ReportProblem } from "../../server/config/problems.ts";
import type { SettingsCheck } from "../lab_server/check_lab_settings.ts";
import type { ClientDefaults, LabConfig } from "../lab_server/lab_config.ts";

/** What a feature knows about the settings of a lab. */
export interface SettingRules {
  /** Reports contradictions between its settings, each of which is well-formed, and others. */
  readonly checkSettings?: SettingsCheck;
  /** What its settings permit that a server refuses. */
  readonly leniency?: LabLeniency;
}

/** A setting by which a lab is less strict than a server. What it does to requests is a layer. */
export interface LabLeniency {
  /** Returns what is on, as the report lists it: `"redirectStatus: 302"`. */
  names(config: LabConfig): string[];
  /** Returns what clients have because of it, if they do not have their own. */
  clientDefaults?(config: LabConfig): ClientDefaults | undefined;
  /** Reports what a profile forbids. */
  checkProfile?(config: LabConfig, profile: string, report: ReportProblem): void;
}

/** A leniency that is on or off. No profile permits it. */
export function switchable(name: keyof LabConfig): LabLeniency {
  return {
    names: (config) => config[name] ? [name] : [],
    checkProfile(config, profile, report) {
      if (config[name]) report(name, `is forbidden by the profile ${profile}`);
    },
  };
}
