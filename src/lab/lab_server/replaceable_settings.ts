import { ConfigError } from "../../server/config/problems.ts";
import { mergePatch } from "../util/json_values.ts";
import { LabError } from "../util/lab_error.ts";
import { changeableSettings, checkAdjustable } from "./changeable_settings.ts";
import type { CoreLabConfig } from "./lab_config.ts";

/** Settings of a lab that may change after its start, as JSON. */
export type ChangeableSettings = Readonly<Record<string, unknown>>;

/** The settings of a lab, which can be changed while it runs. */
export interface ReplaceableSettings {
  /** Returns the current configuration of the lab, with the settings that a feature declares. */
  config<Own extends object = object>(): CoreLabConfig & Own;
  /** Returns the settings that were given. */
  read(): ChangeableSettings;
  /** Merges changes into the settings (RFC 7396). Changes that the lab rejects change nothing. */
  change(changes: ChangeableSettings): void;
  /**
   * Takes other settings for those of the start, and returns to them. What cannot change while the
   * lab runs stays. Throws a `ConfigError` and changes nothing if the lab rejects them.
   */
  renew(start: CoreLabConfig): void;
  /** Returns to the settings of the start. */
  reset(): void;
  /** Remembers the settings of a server that was replaced: those given, or those of the start. */
  restore(settings?: ChangeableSettings): void;
}

/**
 * Creates the settings. `apply` applies a configuration, perhaps as that of the start, or throws and
 * changes nothing.
 */
export function createReplaceableSettings(
  start: CoreLabConfig,
  apply: (config: CoreLabConfig, options?: { asStart: boolean }) => void,
): ReplaceableSettings {
  const isChangeable = ([name, value]: [string, unknown]) =>
    changeableSettings.includes(name) && value !== undefined;
  const members = Object.entries(start);
  const fixed = Object.fromEntries(members.filter((each) => !isChangeable(each)));
  let first: ChangeableSettings = Object.fromEntries(members.filter(isChangeable));
  let present = first;
  let config = start;

  function remember(settings: ChangeableSettings): void {
    present = settings;
    config = { ...fixed, ...settings } as CoreLabConfig;
  }

  function replace(settings: ChangeableSettings): void {
    try {
      apply({ ...fixed, ...settings } as CoreLabConfig);
    } catch (cause) {
      if (!(cause instanceof ConfigError)) throw cause;
      throw new LabError(`Cannot change the settings: ${cause.problems.join("; ")}.`);
    }
    remember(settings);
  }

  return {
    config: <Own extends object>() => config as CoreLabConfig & Own,
    read: () => present,
    change(changes) {
      checkAdjustable(changes);
      const { clientMetadataDocuments = false } = changes;
      // Without the setting, a lab that can fetch documents does.
      if (clientMetadataDocuments !== false && first.clientMetadataDocuments === false) {
        throw new LabError(
          "'clientMetadataDocuments' cannot be set here: what a lab may reach is set at its start.",
        );
      }
      replace(mergePatch(present, changes));
    },
    renew(start) {
      const next = Object.fromEntries(Object.entries(start).filter(isChangeable));
      apply({ ...fixed, ...next } as CoreLabConfig, { asStart: true });
      first = next;
      remember(next);
    },
    reset: () => replace(first),
    restore: (settings = first) => remember(settings),
  };
}
