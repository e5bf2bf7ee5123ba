import type { ApiSchema, ApiSchemas } from "../../../lab/control/lab_schemas.ts";
import { inputSchema } from "../../../lab/control/operation_input.ts";
import type { OperationDescription } from "../../../lab/core/operation.ts";

/** What fish runs at its start: `hallpass call --completion fish | source`. */
export const fishScript =
  `complete -c hallpass -f -n '__fish_seen_subcommand_from call' -a '(hallpass call --complete (commandline -cp | string collect))'`;

/** What another shell runs: `source <(hallpass call --completion)`, in zsh after `compinit`. */
export const completionScript =
  `if [ -n "$ZSH_VERSION" ]; then autoload -U +X bashcompinit && bashcompinit; fi
_hallpass() {
  COMPREPLY=($(hallpass call --complete "\${COMP_LINE:0:$COMP_POINT}" 2>/dev/null))
}
complete -o default -F _hallpass hallpass`;

/** Returns what can follow a command line: names of operations, members of one, or their values. */
export function completionsOf(
  line: string,
  operations: readonly OperationDescription[],
  schemas: ApiSchemas,
): string[] {
  const words = line.split(/\s+/);
  const [name, ...given] = words.slice(words.indexOf("call") + 1);
  if (!words.includes("call") || name === undefined) return [];
  const typed = given.at(-1) ?? name;
  const known = (names: readonly string[]) => names.filter((each) => each.startsWith(typed));
  if (given.length === 0) return known(operations.map((each) => each.name));
  const operation = operations.find((each) => each.name === name);
  if (!operation) return [];
  const { properties } = inputSchema(operation, schemas);
  const [member = ""] = given.slice(-2, -1);
  const isValue = member.startsWith("--") && !typed.startsWith("--");
  if (isValue) {
    const { [member.slice(2)]: values } = operation.values ?? {};
    return known(values?.() ?? valuesOf(properties[member.slice(2)] ?? {}, schemas));
  }
  return known(Object.keys(properties).map((each) => `--${each}`));
}

/** Returns the only values that there are of a member, or no value. */
function valuesOf(schema: ApiSchema, schemas: ApiSchemas): string[] {
  const { $ref, type, enum: values = [], anyOf = [] } = schema;
  const named = schemas[$ref?.split("/").at(-1) ?? ""];
  if (named) return valuesOf(named, schemas);
  if (type === "boolean") return ["true", "false"];
  return [...values.map(String), ...anyOf.flatMap((each) => valuesOf(each, schemas))];
}
