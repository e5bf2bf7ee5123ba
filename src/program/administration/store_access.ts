import type { Administration } from "../../administration/administration.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { Command, Invocation } from "../command_line/command.ts";
import type { Option } from "../command_line/option.ts";
import { config, issuer, json, profile, store } from "../command_line/options.ts";
import { success } from "../terminal/exit_code.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The options of every command that works on the store of a server. */
export const storeOptions: readonly Option[] = [
  config,
  { ...store, help: "the store to work on, instead of the configuration's" },
  issuer,
  profile,
  json,
];

/** What a command on a store works with. */
export interface StoreCall {
  /** Makes changes, and records them. */
  admin: Administration;
  ctx: Context;
  invocation: Invocation;
  terminal: Terminal;
}

/** A command that works on the store of a server. */
export interface StoreCommand {
  name: string;
  operandName?: string;
  help: string;
  examples?: readonly string[];
  asksPassword?: boolean;
  /** Options beside those of every such command. */
  options?: readonly Option[];
  run(call: StoreCall): Promise<void>;
}

/** Makes a command that opens the configured store. A server may use the store at the same time. */
export function storeCommand({ options = [], run, ...command }: StoreCommand): Command {
  return {
    ...command,
    options: [...options, ...storeOptions],
    async run(invocation, terminal) {
      const { withConfiguredStore } = await import("./configured_store.ts");
      await withConfiguredStore(
        invocation,
        terminal,
        (admin, ctx) => run({ admin, ctx, invocation, terminal }),
      );
      return success;
    },
  };
}
