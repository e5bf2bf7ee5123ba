import { hasErrorCode, messageOf } from "../../server/util/text/error_message.ts";
import { startCommand, type StartedCommand } from "../processes/child_process.ts";
import { taskFor } from "../terminal/explain_error.ts";
import type { Environment } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { childEnvironment } from "./child_environment.ts";
import { fillIn, type LabTarget } from "./lab_target.ts";

/** A command of the user, and how it learns where the lab is. */
export interface ChildCommand {
  /** The program and its arguments. */
  words: readonly string[];
  /** Variables for its environment: `NAME=VALUE`. */
  variables: readonly string[];
  /** Our own environment. */
  environment: Environment;
}

/** Why a command cannot be started. */
export class NotStartedError extends Error {}

/**
 * Starts a command for a lab. Its output is kept for us, or goes where ours goes.
 *
 * @throws {NotStartedError} There is no such program, or this user may not start it.
 */
export async function startChild(
  { words, variables, environment }: ChildCommand,
  target: LabTarget,
  output: "kept" | "shared",
): Promise<StartedCommand> {
  const filled = words.map((word) => fillIn(word, target));
  const variablesOfChild = await childEnvironment(environment, variables, target);
  try {
    return await startCommand(filled, variablesOfChild, output);
  } catch (cause) {
    throw new NotStartedError(startProblem(filled[0] ?? "", cause));
  }
}

/** Checks that Deno lets `hallpass` start programs, before anything else is done. */
export function checkMayStart(command: string): void {
  if (!("Deno" in globalThis)) return;
  const { state } = Deno.permissions.querySync({ name: "run" });
  if (state === "granted") return;
  throw new UsageError(
    "Deno does not let this task start other programs. Use the one that has this permission: " +
      `${taskFor(command)} …`,
  );
}

function startProblem(program: string, cause: unknown): string {
  const isMissing = hasErrorCode(cause, "ENOENT") ||
    /not found|no such file/i.test(messageOf(cause));
  const why = isMissing ? "there is no such program" : messageOf(cause);
  return `The command '${program}' cannot be started: ${why}. It is started without a shell: for ` +
    "a script of npm write 'npm test', for what only a shell understands sh -c '…'.";
}
