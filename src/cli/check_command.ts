import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { findLeniencies } from "../config/leniencies.ts";
import { ConfigError } from "../config/problems.ts";
import { listClients, listUsers } from "../issuer/admin/directory_entries.ts";
import { checkProfile } from "../issuer/clients/check_profile.ts";
import type { Context } from "../issuer/context.ts";
import { checkEncryption } from "../issuer/keys/encrypted_rows.ts";
import type { InternalServer } from "../server.ts";
import { memoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { messagesOf } from "../util/error_message.ts";
import { type Command, success, UsageError } from "./command.ts";
import { isConfigured } from "./config_file.ts";
import {
  type Configuration,
  listenAddressOf,
  missingSecretProblem,
  readConfiguration,
} from "./configuration.ts";
import { openStore } from "./open_store.ts";
import {
  alg,
  backChannel,
  cert,
  config,
  frontChannel,
  host,
  issuer,
  key,
  port,
  profile,
  store,
} from "./options.ts";
import { type ProgramConfig, readTls } from "./program_config.ts";
import { sqlitePath } from "./store_name.ts";
import { checkNoTestKeys, createStrictServer } from "./strict_server.ts";
import { claimWarnings, portWarnings } from "./warnings.ts";
import { weakSecretAdvice } from "./weak_secrets.ts";

/** Reports every problem that `serve` would find, and serves nothing. */
export const check: Command = {
  name: "check",
  help: "checks a configuration: prints every problem, or what the server would offer",
  options: [config, store, issuer, frontChannel, backChannel, profile, port, host, alg, cert, key],
  async run(invocation, terminal) {
    if (!isConfigured(invocation, terminal.environment)) {
      throw new UsageError("hallpass check needs a configuration: --config FILE");
    }
    const configuration = await readConfiguration(invocation, terminal.environment);
    const { lines, warnings } = await summarizeServer(configuration);
    for (const warning of warnings) terminal.printError(`warning: ${warning}`);
    terminal.print(["The configuration is valid.", "", ...lines].join("\n"));
    return success;
  },
};

/** What a check prints about a valid configuration. */
interface Summary {
  lines: string[];
  warnings: string[];
}

/** Checks all parts, and continues after each problem as far as the rest does not depend on it. */
async function summarizeServer(configuration: Configuration): Promise<Summary> {
  const { program, lab, server: settings, missingSecrets } = configuration;
  const problems = missingSecrets.map(missingSecretProblem);
  const attempt = async <T>(step: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await step();
    } catch (cause) {
      problems.push(...cause instanceof ConfigError ? cause.problems : [messagesOf(cause)]);
      return undefined;
    }
  };
  await attempt(() => readTls(program));
  const opened = await attempt(() => openExisting(program.store)) ?? memoryStore();
  try {
    const issuer = listenAddressOf(configuration, program.port);
    const config = { issuer, ...settings, store: opened };
    const server = await attempt(() => createStrictServer(config, lab));
    if (server) await attempt(() => checkStore(server));
    if (!server || problems.length > 0) throw new ConfigError(problems, "serve");
    return {
      lines: await summarize(server.context, program),
      warnings: [
        ...settings.issuer === undefined ? [] : portWarnings(settings.issuer, program.port),
        ...await claimWarnings(server.context),
        ...weakSecretAdvice(settings),
      ],
    };
  } finally {
    await opened.close();
  }
}

/**
 * Opens a store that exists. A check creates no file: for a new one it looks only for the folder.
 */
async function openExisting(store: ProgramConfig["store"]): Promise<Store> {
  const path = typeof store === "string" ? sqlitePath(store) : undefined;
  if (path === undefined || await exists(path)) {
    return await openStore(store, { isRealTime: true });
  }
  if (await exists(dirname(path))) return memoryStore();
  throw new UsageError(`The store ${store} cannot be opened: there is no folder ${dirname(path)}`);
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(() => true, () => false);
}

async function checkStore(server: InternalServer): Promise<void> {
  await checkEncryption(server.context);
  await checkProfile(server.context);
  await checkNoTestKeys(server);
}

async function summarize(ctx: Context, { store }: ProgramConfig): Promise<string[]> {
  const { settings, metadata } = ctx;
  const clients = (await listClients(ctx)).map(({ value }) => value);
  const users = await listUsers(ctx);
  const endpoints = Object.keys(metadata).filter((name) => name.endsWith("_endpoint"));
  const leniencies = findLeniencies(settings, clients);
  return [
    line("Issuer", settings.issuer),
    line("Browsers", settings.frontChannelUrl),
    line("Applications", settings.backChannelUrl),
    line("Profile", settings.profile.name),
    line("Store", nameOfStore(settings.store, store)),
    line("Signing keys", settings.secret ? "encrypted with HALLPASS_SECRET" : "not encrypted"),
    line("Endpoints", endpoints.map((name) => name.replace("_endpoint", "")).join(", ")),
    line("Grants", settings.grantTypes.join(", ")),
    line("Scopes", [...settings.scopes.keys()].join(", ")),
    line("Clients", clients.map(({ id }) => id).join(", ") || "none"),
    line("Users", `${users.length}`),
    line("Leniencies", leniencies.length === 0 ? "none" : ""),
    ...leniencies.map(({ what, means, see }) => `  - ${what} ${means} (${see})`),
  ];
}

/** Prefers the store's own name: the URL of a store may contain a password. */
function nameOfStore({ name }: Store, configured: ProgramConfig["store"]): string {
  // A file that does not exist yet is not opened.
  if (typeof configured === "string" && sqlitePath(configured) !== undefined) return configured;
  return name ?? "memory";
}

function line(name: string, value: string): string {
  return `${name.padEnd(14)}${value}`.trimEnd();
}
