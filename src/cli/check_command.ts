import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError } from "../config/config_error.ts";
import { findLeniencies } from "../config/leniencies.ts";
import { listClients, listUsers } from "../issuer/admin/directory_entries.ts";
import { checkProfile } from "../issuer/clients/check_profile.ts";
import type { Context } from "../issuer/context.ts";
import { checkEncryption } from "../issuer/keys/check_seals.ts";
import type { InternalServer } from "../server.ts";
import { memoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { messagesOf } from "../util/error_message.ts";
import { type Command, done } from "./command.ts";
import type { ProgramConfig } from "./config_file.ts";
import {
  type Configuration,
  listenAddressOf,
  missingProblem,
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
import { checkNoTestKeys, createStrictServer } from "./start_server.ts";
import { readTls } from "./tls.ts";
import { UsageError } from "./usage_error.ts";
import { ofPort } from "./warnings.ts";

/** Says what `serve` would say, all at once, and serves nothing. */
export const check: Command = {
  name: "check",
  help:
    "says everything that is wrong with what serve would be given, or what the server would offer",
  options: [config, store, issuer, frontChannel, backChannel, profile, port, host, alg, cert, key],
  async run(invocation, terminal) {
    if (!invocation.values.has("config")) {
      throw new UsageError("hallpass check needs a configuration: --config FILE");
    }
    const configuration = await readConfiguration(invocation, terminal.environment);
    const { problems, summary } = await examine(configuration);
    if (problems.length > 0) throw new ConfigError(problems, "serve");
    const { issuer } = configuration.server;
    const warnings = issuer === undefined ? [] : ofPort(issuer, configuration.program.port ?? 9000);
    for (const warning of warnings) terminal.complain(`warning: ${warning}`);
    terminal.print(["In order.", "", ...summary].join("\n"));
    return done;
  },
};

/** Goes on after each problem, as far as the rest does not depend on it. */
async function examine(
  configuration: Configuration,
): Promise<{ problems: string[]; summary: string[] }> {
  const problems = configuration.missing.map(missingProblem);
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (cause) {
      problems.push(...cause instanceof ConfigError ? cause.problems : [messagesOf(cause)]);
      return undefined;
    }
  };
  const { program, server: settings } = configuration;
  await attempt(() => readTls(program.cert, program.key));
  const opened = await attempt(() => openExisting(program.store)) ?? memoryStore();
  try {
    const server = await attempt(() =>
      createStrictServer({
        issuer: listenAddressOf(configuration, program.port ?? 9000),
        ...settings,
        store: opened,
      })
    );
    if (server) await attempt(() => checkStore(server));
    return {
      problems,
      summary: server && problems.length === 0 ? await summarize(server.context, program) : [],
    };
  } finally {
    await opened.close();
  }
}

/** A check leaves no file behind: where there is none yet, it asks only whether there could be one. */
async function openExisting(store: ProgramConfig["store"]): Promise<Store> {
  if (typeof store !== "string" || !store.startsWith("sqlite:")) return await openStore(store);
  const path = store.slice("sqlite:".length);
  if (await stat(path).catch(() => undefined)) return await openStore(store);
  if (await stat(dirname(path)).catch(() => undefined)) return memoryStore();
  throw new UsageError(`The store ${store} cannot be opened: there is no folder ${dirname(path)}`);
}

async function checkStore(server: InternalServer): Promise<void> {
  await checkEncryption(server.context);
  await checkProfile(server.context);
  await checkNoTestKeys(server);
}

async function summarize(ctx: Context, { store }: ProgramConfig): Promise<string[]> {
  const { settings, metadata } = ctx;
  const clients = await listClients(ctx);
  const endpoints = Object.keys(metadata).filter((name) => name.endsWith("_endpoint")).map((name) =>
    name.replace("_endpoint", "")
  );
  const leniencies = findLeniencies(settings, clients.map(({ value }) => value));
  return [
    line("Issuer", settings.issuer),
    line("Browsers", settings.frontChannelUrl),
    line("Applications", settings.backChannelUrl),
    line("Profile", settings.profile.name),
    line("Store", typeof store === "string" ? store : settings.store.name ?? "memory"),
    line("Signing keys", settings.secret ? "sealed with HALLPASS_SECRET" : "in the clear"),
    line("Endpoints", endpoints.join(", ")),
    line("Grants", settings.grantTypes.join(", ")),
    line("Scopes", [...settings.scopes.keys()].join(", ")),
    line("Clients", clients.map(({ value }) => value.id).join(", ") || "none"),
    line("Users", `${(await listUsers(ctx)).length}`),
    line("Leniencies", leniencies.length === 0 ? "none" : ""),
    ...leniencies.map(({ what, means, see }) => `  - ${what} ${means} (${see})`),
  ];
}

function line(name: string, value: string): string {
  return `${name.padEnd(14)}${value}`.trimEnd();
}
