import { isObject, parseJson } from "../../server/util/text/json.ts";
import type { Invocation } from "../command_line/command.ts";
import { type LogForm, logForms } from "../monitoring/log.ts";
import type { Environment } from "../terminal/terminal.ts";
import { jsonVariable, readConfigFile } from "./config_file.ts";
import { isModule, readTextFile } from "./program_config.ts";

/** The commands that have a log. */
const servers: readonly string[] = ["lab", "serve"];

/**
 * Returns the form of the log of a command that failed, for its error. It reads as much as it can
 * of a command line, an environment and a configuration that may all be invalid.
 */
export async function findLogForm(
  args: readonly string[],
  environment: Environment,
): Promise<LogForm> {
  const { command, values } = readInvocation(args);
  if (!servers.includes(command)) return "text";
  const given = values.get("log")?.at(-1) ?? environment.HALLPASS_LOG;
  return toForm(given ?? await findConfigured(values.get("config")?.at(-1), environment));
}

/** Returns what the configuration says about the log, or undefined if it cannot be read. */
async function findConfigured(
  path: string | undefined,
  environment: Environment,
): Promise<unknown> {
  try {
    const file = path ?? environment.HALLPASS_CONFIG;
    if (file !== undefined && isModule(file)) {
      return (await readConfigFile(file, environment)).program.log;
    }
    const text = file === undefined ? environment[jsonVariable] : await readTextFile(file);
    const content = parseJson(text ?? "");
    return isObject(content) ? content.log : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the command and the options that have a value, without checking them. */
function readInvocation(args: readonly string[]): Pick<Invocation, "command" | "values"> {
  const [first = "--"] = args;
  const values = new Map<string, readonly string[]>();
  args.forEach((argument, at) => {
    const [, name, inline] = /^--(\w+)(?:=(.*))?$/s.exec(argument) ?? [];
    const value = inline ?? args[at + 1];
    if (name !== undefined && value !== undefined) values.set(name, [value]);
  });
  return { command: first.startsWith("-") ? "lab" : first, values };
}

function toForm(form: unknown): LogForm {
  return logForms.find((each) => each === form) ?? "text";
}
