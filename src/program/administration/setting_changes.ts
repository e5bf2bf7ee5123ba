import type { CurrentSettings } from "../../administration/administration.ts";
import { nearestName } from "../../server/util/text/nearest_name.ts";
import type { Invocation } from "../command_line/command.ts";
import type { Option } from "../command_line/option.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { clientOptions } from "./client_options.ts";
import { clientMembers } from "./client_schema.ts";

/** The options that change a setting without replacing it. */
export const changeOptions: readonly Option[] = [
  {
    name: "add",
    valueName: "SETTING=VALUE",
    repeatable: true,
    mayHoldPassword: true,
    help: "add a value to a list, such as redirect-uri=https://…; may be repeated",
    problem: assignmentProblem,
  },
  {
    name: "remove",
    valueName: "SETTING=VALUE",
    repeatable: true,
    mayHoldPassword: true,
    help: "remove a value from a list, such as scope=read; may be repeated",
    problem: assignmentProblem,
  },
  {
    name: "unset",
    valueName: "SETTING",
    repeatable: true,
    help: "return to the default of a setting, such as name; may be repeated",
    problem: settingProblem,
  },
];

/** Returns the settings that `--add`, `--remove` and `--unset` change, as they are afterwards. */
export function changedSettings(
  { values }: Invocation,
  { given, effective }: CurrentSettings,
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  const current: Record<string, unknown> = { ...effective, ...given };
  const listOf = (name: string) => listSetting(name, changed[name] ?? current[name]);
  for (const [name, value] of assignments(values.get("add"))) {
    changed[name] = [...new Set([...listOf(name), value])];
  }
  for (const [name, value] of assignments(values.get("remove"))) {
    const list = listOf(name);
    if (!list.includes(value)) throw new UsageError(`${name} does not contain '${value}'.`);
    changed[name] = list.filter((each) => each !== value);
  }
  for (const name of values.get("unset") ?? []) changed[settingNamed(name)] = undefined;
  return changed;
}

function assignments(texts: readonly string[] = []): Array<[setting: string, value: string]> {
  return texts.map((text) => {
    const equals = text.indexOf("=");
    return [settingNamed(text.slice(0, equals)), text.slice(equals + 1)];
  });
}

/** Accepts the name of an option or of a setting: `redirect-uri` or `redirectUris`. */
function settingNamed(name: string): string {
  return clientOptions.find((option) => option.name === name)?.setting ?? name;
}

function settingProblem(name: string): string | undefined {
  if (settingNamed(name) in clientMembers) return undefined;
  const names = [
    ...clientOptions.map((option) => option.name),
    ...Object.keys(clientMembers),
  ];
  const nearest = nearestName(name, names);
  return `must name a setting${nearest ? ` (did you mean '${nearest}'?)` : ""}`;
}

function listSetting(name: string, value: unknown = []): unknown[] {
  if (clientMembers[name]?.type === "array" && Array.isArray(value)) return value;
  throw new UsageError(`${name} is not a list; set it as a whole.`);
}

function assignmentProblem(value: string): string | undefined {
  if (!/^[\w-]+=./.test(value)) return "must be SETTING=VALUE";
  return settingProblem(value.slice(0, value.indexOf("=")));
}
