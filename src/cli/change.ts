import type { Context } from "../issuer/context.ts";
import { type Command, done, type Invocation, type Terminal } from "./command.ts";
import { UsageError } from "./usage_error.ts";
import { storeOptions, withContext } from "./with_context.ts";

/** A command that changes one thing in the store, and says that it did. */
export function change(
  [name, takes]: readonly [name: string, takes: string],
  help: string,
  act: (ctx: Context, id: string) => Promise<void>,
): Command {
  const run = (invocation: Invocation, terminal: Terminal) => {
    const id = operandOf(invocation, takes);
    return withContext(invocation, terminal, async (ctx) => {
      await act(ctx, id);
      terminal.print(`done: ${name} ${id}`);
      return done;
    });
  };
  return { name, takes, help, options: storeOptions, run };
}

/** What a command is done to. */
export function operandOf({ command, operand }: Invocation, takes: string): string {
  if (operand) return operand;
  throw new UsageError(`There is more to say: hallpass ${command} ${takes}`);
}
