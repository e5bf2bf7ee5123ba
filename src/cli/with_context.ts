import type { Context } from "../issuer/context.ts";
import { checkEncryption } from "../issuer/keys/check_seals.ts";
import { createInternalServer } from "../server.ts";
import type { Invocation, Terminal } from "./command.ts";
import { checkNothingMissing, listenAddressOf, readConfiguration } from "./configuration.ts";
import { openStore } from "./open_store.ts";
import { config, issuer, json, type Option, profile, store } from "./options.ts";
import { UsageError } from "./usage_error.ts";

/** What every command takes that works on the store of a server. */
export const storeOptions: readonly Option[] = [config, store, issuer, profile, json].map((
  option,
) =>
  option === store
    ? { ...option, help: "the store to work on, in place of the configuration's" }
    : option
);

/** Works on the configured store for as long as an act takes; a server may run on it meanwhile. */
export async function withContext(
  invocation: Invocation,
  terminal: Terminal,
  act: (ctx: Context) => Promise<number>,
): Promise<number> {
  const configuration = await readConfiguration(invocation, terminal.environment);
  checkNothingMissing(configuration);
  const { server: settings, program } = configuration;
  if (program.store === undefined || program.store === "memory") {
    throw new UsageError(
      `hallpass ${invocation.command} works on a store that lasts, and a server's memory cannot be reached from here: say --store sqlite:PATH, or --config FILE with a 'store' in it.`,
    );
  }
  const opened = await openStore(program.store);
  try {
    const { context } = createInternalServer({
      issuer: listenAddressOf(configuration, program.port ?? 9000),
      ...settings,
      store: opened,
    });
    await checkEncryption(context);
    return await act(context);
  } finally {
    await opened.close();
  }
}
