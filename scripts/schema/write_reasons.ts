/** Writes who does not take a setting of a lab, and why, as the tags of its documentation have it. */
import type { Setting, SettingTypes } from "./read_settings.ts";
import { settingsIn } from "./write_json_schema.ts";

/** Why labs that run, or all tenants, do not take a setting; and which one tenants inherit. */
const labTags = ["atStart", "forWholeLab", "notOverHttp", "inherited"];

/**
 * Writes the reasons by the names of the settings: those of servers, and those of labs. What is for
 * tests as well, but not for a file, is among the `options`.
 */
export function settingReasons(types: SettingTypes): Record<string, string> {
  const inFile = settingsIn(types, ["LabFileConfig"]);
  const silent = inFile.filter(({ tags }) => !tags?.has("forTests")).map(({ name }) => name);
  if (silent.length > 0) throw new Error(`Without the tag @forTests: ${silent.join(", ")}`);
  const known = [...inFile, ...settingsIn(types, ["Config"])].map(({ name }) => name);
  const all = settingsIn(types, ["HallpassOptions"]);
  const options = all.filter(({ name, type }) => type.type !== "function" && !known.includes(name));
  const ofLab = labTags.map((tag) => [tag, textsOf(tag, all)] as const);
  return {
    "static/settings/for_tests.json": JSON.stringify({
      settings: textsOf("forTests", inFile),
      options: options.map(({ name }) => name),
    }),
    "static/settings/lab_reasons.json": JSON.stringify(Object.fromEntries(ofLab)),
  };
}

function textsOf(tag: string, settings: readonly Setting[]): Record<string, string> {
  const texts = settings.map(({ name, tags }) => [name, tags?.get(tag)] as const);
  return Object.fromEntries(
    texts.flatMap(([name, text]) => text === undefined ? [] : [[name, text]]),
  );
}
