import { nearestName } from "../../server/util/text/nearest_name.ts";
import { labOptions } from "../command_line/lab_options.ts";
import { variableOf } from "../command_line/option.ts";
import { serverOptions } from "../command_line/options.ts";
import { type FileConfig, jsonVariable } from "../configuration/config_file.ts";
import { earlierSecretVariable, secretVariable } from "../configuration/configuration.ts";
import type { Environment } from "../terminal/terminal.ts";

const prefix = "HALLPASS";

/** The variables that the program reads, without those that a configuration names. */
const known: readonly string[] = [
  ...[...serverOptions, ...labOptions].filter(({ inEnvironment }) => inEnvironment).map(variableOf),
  secretVariable,
  earlierSecretVariable,
  jsonVariable,
];

/**
 * Returns a warning for each environment variable whose name is almost one that the program reads:
 * it would be ignored without a word.
 */
export function misspelledVariables(
  environment: Environment,
  { secretVariables }: Pick<FileConfig, "secretVariables">,
): string[] {
  const ours = new Set([...known, ...secretVariables]);
  return namesIn(environment).filter((name) => !ours.has(name)).flatMap((name) => {
    const nearest = nearestVariable(name);
    return nearest === undefined ? [] : [
      `The environment variable ${name} is ignored. Did you mean ${nearest}?`,
    ];
  });
}

/** Compares what follows the prefix: the prefix itself would make any two names similar. */
function nearestVariable(name: string): string | undefined {
  const underscore = name.indexOf("_");
  if (underscore < 0 || nearestName(name.slice(0, underscore), [prefix]) === undefined) return;
  const words = known.map((each) => each.slice(prefix.length + 1));
  const nearest = nearestName(name.slice(underscore + 1), words);
  return nearest && `${prefix}_${nearest}`;
}

/** On Deno, only a program that may read the whole environment may list it. */
function namesIn(environment: Environment): string[] {
  if ("Deno" in globalThis) {
    const { state } = Deno.permissions.querySync({ name: "env" });
    if (state !== "granted") return [];
  }
  return Object.keys(environment);
}
