import { userInfo } from "node:os";
import {
  type AdminAction,
  type AdminContext,
  type Administration,
  createAdministration,
} from "../../administration/administration.ts";
import { guardedFetch } from "../../runtime/guarded_fetch.ts";
import { ConfigError } from "../../server/config/problems.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { Store } from "../../server/store/store.ts";
import { type Invocation, sqlitePath, valueOf } from "../command_line/command.ts";
import {
  type Configuration,
  listenAddressOf,
  readConfiguration,
} from "../configuration/configuration.ts";
import { checkSecretsPresent } from "../configuration/secret_variables.ts";
import { openStore, pathExists } from "../operate/open_store.ts";
import { withListener } from "../operate/start_server.ts";
import { hasTestKeys, usedByLab } from "../operate/strict_server.ts";
import { UsageError } from "../terminal/exit_code.ts";
import type { Environment, Terminal } from "../terminal/terminal.ts";
import { followNotifications, type Notified } from "./notifications.ts";
import { reportProgress } from "./progress.ts";

/** Works on a store. `notified` waits until applications know of the sessions that ended. */
type ActOnStore = (
  admin: Administration,
  ctx: AdminContext,
  notified: () => Promise<Notified>,
) => Promise<void>;

/**
 * Returns the store that a configuration names. Throws if it names none that outlives a process.
 */
export function requireStore({ command }: Invocation, { program }: Configuration): string | Store {
  const { store } = program;
  if (store !== undefined && store !== "memory") return store;
  throw new UsageError(
    `hallpass ${command} needs a persistent store: use --store sqlite:PATH, or --config FILE ` +
      "with a 'store' in it. It cannot reach the memory of a running server.",
  );
}

/** Works on a store with everything that a server has, once its secret has proved to be right. */
export async function withStore(
  { configuration, store, action, check = checkSecret, report }: {
    configuration: Configuration;
    store: string | Store;
    action: AdminAction;
    /** Checks the store before any work; by default, that its keys can be decrypted. */
    check?: (admin: Administration) => Promise<void>;
    /** Reports how far the work is. */
    report?: (store: Store) => ReturnType<typeof reportProgress>;
  },
  act: ActOnStore,
): Promise<void> {
  const { createFullServer } = await import("../../server/features.ts");
  const { privateFetches } = configuration.server.insecure ?? {};
  const config = {
    issuer: listenAddressOf(configuration, configuration.program.port),
    fetchUntrusted: guardedFetch({ allowPrivate: privateFetches === true }),
    ...configuration.server,
  };
  // A store would be made before wrong settings are found.
  await forStore(async () => createFullServer(config));
  const opened = await openStore(store, { isRealTime: true });
  const reported = report?.(opened);
  const notifications = followNotifications();
  try {
    const settings = { ...config, store: reported?.store ?? opened };
    const { context } = createFullServer(withListener(settings, notifications.onEvent));
    const admin = createAdministration(context, action);
    await check(admin);
    const notified = () => notifications.finish(context);
    // What fails in the middle may have ended sessions before.
    await act(admin, { ...context, action }, notified).finally(notified);
  } finally {
    reported?.stop();
    await opened.close();
  }
}

/** Names what a command does where the settings of its server are wrong: it starts none. */
async function forStore<T>(read: () => Promise<T>): Promise<T> {
  return await read().catch((cause) => {
    if (!(cause instanceof ConfigError)) throw cause;
    throw new ConfigError(cause.problems, "open the store of the server");
  });
}

function checkSecret({ keys }: Administration): Promise<void> {
  return keys.checkSecret();
}

/** Works on the store that the configuration of a command names. */
export async function withConfiguredStore(
  invocation: Invocation,
  terminal: Terminal,
  act: ActOnStore,
): Promise<void> {
  const configuration = await forStore(() => readConfiguration(invocation, terminal.environment));
  checkSecretsPresent(configuration);
  const store = requireStore(invocation, configuration);
  const action = actionOf(invocation, terminal.environment);
  const path = typeof store === "string" ? sqlitePath(store) : undefined;
  const isNew = path !== undefined && !await pathExists(path);
  const report = (opened: Store) => reportProgress(opened, invocation, terminal);
  await withStore({ configuration, store, action, report }, async (admin, ctx, notified) => {
    if (isNew) terminal.printError(`warning: There was no store ${path}: it is new, and empty.`);
    await checkLabKeys(invocation, terminal, ctx);
    await act(admin, ctx, notified);
  });
}

/** Commands that could make a lab's store look like that of a server for real use. */
const keyChanges: readonly string[] = ["key rotate", "key remove"];

/**
 * Warns of a lab's store: its users and clients may be managed, but `serve` refuses its keys. It
 * would not, once other keys have replaced them.
 */
async function checkLabKeys(
  { command, values }: Invocation,
  terminal: Terminal,
  ctx: Context,
): Promise<void> {
  if (!await hasTestKeys(ctx)) return;
  if (keyChanges.includes(command)) throw new UsageError(usedByLab);
  if (!values.has("json")) terminal.printError(`warning: ${usedByLab}`);
}

/** Returns what the log of changes says about a command. */
export function actionOf(invocation: Invocation, environment: Environment): AdminAction {
  const inEnvironment = environment.HALLPASS_CONFIG_JSON ? "HALLPASS_CONFIG_JSON" : undefined;
  return {
    by: systemUser(environment),
    command: invocation.command,
    configuration: valueOf(invocation, "config") ?? inEnvironment,
  };
}

/**
 * Returns who runs the program, for the log of changes: the operating system's name of the user,
 * and of the person who became that user by `sudo`. With access to the store, neither is a proof.
 */
export function systemUser({ SUDO_USER: person }: Environment): string {
  const account = accountName();
  return person && person !== account ? `${person} as ${account}` : account;
}

function accountName(): string {
  try {
    const { username, uid } = userInfo();
    // Bun knows no name without the variable USER, which containers lack.
    return username === "unknown" ? `uid ${uid}` : username;
  } catch {
    // The user may have no entry, and Deno may not be permitted to look.
    return "unknown";
  }
}
