import type { AdminAction, AdminContext } from "../issuer/admin/changes.ts";
import { checkEncryption } from "../issuer/keys/encrypted_rows.ts";
import { createInternalServer } from "../server.ts";
import {
  type Command,
  type Environment,
  type Invocation,
  operandOf,
  success,
  type Terminal,
  UsageError,
  valueOf,
} from "./command.ts";
import { checkSecretsPresent, listenAddressOf, readConfiguration } from "./configuration.ts";
import { openStore } from "./open_store.ts";
import { config, issuer, json, type Option, profile, store } from "./options.ts";
import { systemUser } from "./system_user.ts";

/** The options of every command that works on the store of a server. */
const storeOptions: readonly Option[] = [
  config,
  { ...store, help: "the store to work on, instead of the configuration's" },
  issuer,
  profile,
  json,
];

/** What a command on a store works with. */
export interface StoreCall {
  ctx: AdminContext;
  invocation: Invocation;
  terminal: Terminal;
}

/** A command that works on the store of a server. */
export interface StoreCommand {
  name: string;
  operandName?: string;
  help: string;
  /** Options beside those of every such command. */
  options?: readonly Option[];
  run(call: StoreCall): Promise<void>;
}

/** A command that changes one entry of the store. */
export interface ChangeCommand {
  name: string;
  operandName: string;
  help: string;
  change(ctx: AdminContext, id: string): Promise<void>;
}

/** Makes a command that opens the configured store. A server may use the store at the same time. */
export function storeCommand({ options = [], run, ...command }: StoreCommand): Command {
  return {
    ...command,
    options: [...storeOptions, ...options],
    async run(invocation, terminal) {
      await withContext(invocation, terminal, (ctx) => run({ ctx, invocation, terminal }));
      return success;
    },
  };
}

/** Makes a command that changes one entry of the store and confirms it. */
export function changeCommand({ change, ...command }: ChangeCommand): Command {
  return storeCommand({
    ...command,
    async run({ ctx, invocation, terminal }) {
      const id = operandOf(invocation, command.operandName);
      await change(ctx, id);
      terminal.print(`done: ${command.name} ${id}`);
    },
  });
}

async function withContext(
  invocation: Invocation,
  terminal: Terminal,
  act: (ctx: AdminContext) => Promise<void>,
): Promise<void> {
  const configuration = await readConfiguration(invocation, terminal.environment);
  checkSecretsPresent(configuration);
  const { server: settings, program } = configuration;
  if (program.store === undefined || program.store === "memory") {
    throw new UsageError(
      `hallpass ${invocation.command} needs a persistent store: use --store sqlite:PATH, or ` +
        "--config FILE with a 'store' in it. It cannot reach the memory of a running server.",
    );
  }
  const opened = await openStore(program.store, { isRealTime: true });
  try {
    const { context } = createInternalServer({
      issuer: listenAddressOf(configuration, program.port),
      ...settings,
      store: opened,
    });
    await checkEncryption(context);
    await act({ ...context, action: actionOf(invocation, terminal.environment) });
  } finally {
    await opened.close();
  }
}

function actionOf(invocation: Invocation, environment: Environment): AdminAction {
  const inEnvironment = environment.HALLPASS_CONFIG_JSON ? "HALLPASS_CONFIG_JSON" : undefined;
  return {
    by: systemUser(),
    command: invocation.command,
    configuration: valueOf(invocation, "config") ?? inEnvironment,
  };
}
