import { nearestName } from "../../server/util/text/nearest_name.ts";
import { variableOf } from "../command_line/command.ts";
import { config } from "../command_line/options.ts";
import { jsonVariable } from "../configuration/config_file.ts";
import { earlierSecretVariable, secretVariable } from "../configuration/secret_variables.ts";
import type { Environment } from "../terminal/terminal.ts";

const prefix = "HALLPASS";

/** The variables that decide whether `serve` starts, and whether the store has plain keys. */
const vital: readonly string[] = [secretVariable, variableOf(config.name), jsonVariable];

/**
 * Returns a warning for each environment variable whose name is almost that of a vital one: it
 * would be ignored without a word.
 */
export function misspelledVariables(
  environment: Environment,
  secretVariables: readonly string[],
): string[] {
  const ours = new Set([...vital, earlierSecretVariable, ...secretVariables]);
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
  const words = vital.map((each) => each.slice(prefix.length + 1));
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
