import { ConfigError } from "../../server/config/problems.ts";
import { mergePatch } from "../util/json_values.ts";
import { LabError } from "../util/lab_error.ts";
import type { CoreLabConfig } from "./core_lab_config.ts";
import { checkChanges, isJsonSetting } from "./json_settings.ts";

/** Settings of a lab, as JSON can hold them. */
export type JsonSettings = Readonly<Record<string, unknown>>;

/** The settings of a lab, which can be changed while it runs. */
export type LiveSettings = ReturnType<typeof createLiveSettings>;

/**
 * Creates the settings. `apply` applies a configuration, perhaps as that of the start, or throws
 * and changes nothing.
 */
export function createLiveSettings(
  start: CoreLabConfig,
  apply: (config: CoreLabConfig, options?: { asStart: boolean }) => void,
) {
  const isJson = ([name, value]: [string, unknown]) => isJsonSetting(name) && value !== undefined;
  const members = Object.entries(start);
  const fixed = Object.fromEntries(members.filter((each) => !isJson(each)));
  let first: JsonSettings = Object.fromEntries(members.filter(isJson));
  let present = first;
  let config = start;

  function remember(settings: JsonSettings): void {
    present = settings;
    config = { ...fixed, ...settings } as CoreLabConfig;
  }

  function replace(settings: JsonSettings): void {
    try {
      apply({ ...fixed, ...settings } as CoreLabConfig);
    } catch (cause) {
      if (!(cause instanceof ConfigError)) throw cause;
      throw new LabError(`Cannot change the settings: ${cause.problems.join("; ")}.`);
    }
    remember(settings);
  }

  return {
    /** Returns the current configuration of the lab, with the settings that a feature declares. */
    config: <Own extends object = object>() => config as CoreLabConfig & Own,
    read: () => present,
    /** Merges changes into the settings (RFC 7396). Changes that the lab rejects change nothing. */
    change(changes: JsonSettings): void {
      checkChanges(changes);
      const { clientMetadataDocuments = false } = changes;
      // Without the setting, a lab that can fetch documents does.
      if (clientMetadataDocuments !== false && first.clientMetadataDocuments === false) {
        throw new LabError(
          "'clientMetadataDocuments' cannot be set here: what a lab may reach is set at its start.",
        );
      }
      replace(mergePatch(present, changes));
    },
    /**
     * Takes other settings for those of the start, and returns to them. The caller leaves those as
     * they are that cannot change while a lab runs. Throws a `ConfigError` and changes nothing if
     * the lab rejects them.
     */
    renew(start: CoreLabConfig): void {
      const next = Object.fromEntries(Object.entries(start).filter(isJson));
      apply({ ...fixed, ...next } as CoreLabConfig, { asStart: true });
      first = next;
      remember(next);
    },
    /** Returns to the settings of the start. */
    reset: () => replace(first),
    /**
     * Returns to settings, those of the start if none are given, without a change of the server: a
     * reset or a snapshot returns that to its own start.
     */
    remember: (settings: JsonSettings = first) => remember(settings),
  };
}
