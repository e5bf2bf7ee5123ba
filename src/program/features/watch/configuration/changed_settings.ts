import { isDeepStrictEqual } from "node:util";
import type { SettingParts } from "../../../configuration/config_file.ts";
import type { Configuration } from "../../../configuration/configuration.ts";

/**
 * Returns the names of the settings that two configurations do not share. A module that is read
 * again has new functions: what they use may have changed.
 */
export function changedSettings(before: SettingParts, after: SettingParts): string[] {
  const earlier = settingsIn(before);
  const later = settingsIn(after);
  const names = Object.keys({ ...earlier, ...later });
  return names.filter((name) => !isDeepStrictEqual(earlier[name], later[name]));
}

/** Returns all files that a configuration was read from or names. */
export function filesOf(configuration: Configuration): string[] {
  const { files, program: { mtlsCa } } = configuration;
  return [...files, ...filesOfPorts(configuration), ...mtlsCa === undefined ? [] : [mtlsCa]];
}

/** Returns the files with certificates and keys, which are read when their port opens. */
export function filesOfPorts({ program }: Configuration): string[] {
  const { cert, key, mtlsCert, mtlsKey } = program;
  return [cert, key, mtlsCert, mtlsKey].filter((path) => path !== undefined);
}

function settingsIn({ program, lab, server }: SettingParts): Record<string, unknown> {
  return { ...program, ...lab, ...server };
}
