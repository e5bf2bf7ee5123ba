import type { Context } from "../issuer/context.ts";
import type { Call, Command, World } from "./command.ts";
import { done } from "./command.ts";
import { onStore, storeOptions } from "./on_store.ts";
import { UsageError } from "./usage_error.ts";

/** A command that changes one thing in the store, and says that it did. */
export function change(
  [name, takes]: readonly [name: string, takes: string],
  help: string,
  act: (ctx: Context, id: string) => Promise<void>,
): Command {
  const run = (call: Call, world: World) => {
    const id = operandOf(call, takes);
    return onStore(call, world, async (ctx) => {
      await act(ctx, id);
      world.print(`done: ${name} ${id}`);
      return done;
    });
  };
  return { name, takes, help, options: storeOptions, run };
}

/** What a command is done to. */
export function operandOf({ command, operand }: Call, takes: string): string {
  if (operand) return operand;
  throw new UsageError(`There is more to say: hallpass ${command} ${takes}`);
}
