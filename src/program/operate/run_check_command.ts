import { dirname } from "node:path";
import { createAdministration } from "../../administration/administration.ts";
import { findIdleRefreshers } from "../../administration/idle_refreshers.ts";
import { findOtherIssuer } from "../../administration/store_issuer.ts";
import { ConfigError } from "../../server/config/problems.ts";
import type { Settings } from "../../server/config/settings.ts";
import { testSettings } from "../../server/config/test_settings.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { InternalServer } from "../../server/server.ts";
import { memoryStore } from "../../server/store/memory.ts";
import type { Store } from "../../server/store/store.ts";
import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { messagesOf } from "../../server/util/text/error_message.ts";
import { counted } from "../../server/util/time/duration.ts";
import { type Invocation, sqlitePath } from "../command_line/command.ts";
import { printableJson } from "../command_line/listing.ts";
import { isConfigured } from "../configuration/config_file.ts";
import { type Configuration, readConfiguration } from "../configuration/configuration.ts";
import {
  type LabFileConfig,
  type ProgramConfig,
  readMtlsTls,
  readTls,
} from "../configuration/program_config.ts";
import { missingSecretProblem } from "../configuration/secret_variables.ts";
import { describePasskeys, findPasskeyProblems } from "../features/passkeys/operate.ts";
import { failure, success, UsageError } from "../terminal/exit_code.ts";
import { wrap } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { namesIn, readDirectory, type ServerDirectory } from "./directory.ts";
import { findLeniencies } from "./leniencies.ts";
import type { Leniency } from "./leniency.ts";
import { checkMetricsPort } from "./listen_on.ts";
import { misspelledVariables } from "./misspelled_variables.ts";
import { findNotHardened } from "./not_hardened.ts";
import { openStore, pathExists } from "./open_store.ts";
import { findWarnings, type Warning, type WarningFacts } from "./operation_warnings.ts";
import { siteOf } from "./site.ts";
import { checkNoTestKeys, createStrictServer, findLabSetting } from "./strict_server.ts";

/** What a check finds in a configuration without a problem. */
interface Findings {
  summary: Summary;
  warnings: Warning[];
}

/** What a server with a valid configuration would offer. */
type Summary = ReturnType<typeof summarize>;

const labelWidth = 14;

const aboutNotHardened = 'defaults that suit most applications; "hardened": true changes all';

/** What features say of themselves in the summary. */
const featureLines: ReadonlyArray<(settings: Settings) => [name: string, text: string]> = [
  describePasskeys,
];

/** What features find in the store: a sentence for each problem of users. */
const featureProblems: ReadonlyArray<(ctx: Context) => Promise<string[]>> = [
  findPasskeyProblems,
];

/** Reports every problem that `serve` would find, and serves nothing. */
export async function runCheckCommand(invocation: Invocation, terminal: Terminal): Promise<number> {
  try {
    return await check(invocation, terminal);
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    // It starts nothing, so the message of the error would be wrong.
    const lines = cause.problems.map((problem) => `  - ${problem}`);
    const count = counted(lines.length, "problem");
    throw new UsageError([`The configuration is not valid: ${count}`, ...lines].join("\n"));
  }
}

async function check(invocation: Invocation, terminal: Terminal): Promise<number> {
  if (!isConfigured(invocation, terminal.environment)) {
    throw new UsageError("hallpass check needs a configuration: --config FILE");
  }
  const isStrict = invocation.values.has("strict");
  const print = invocation.values.has("json") ? printJson : printText;
  const configuration = await readConfiguration(invocation, terminal.environment);
  checkMetricsPort(configuration);
  const { environment } = terminal;
  const site = await siteOf(invocation, configuration, environment);
  const misspelled = misspelledVariables(environment, configuration.secretVariables);
  const findings = await examineServer(configuration, { site, misspelled }).catch((cause) => {
    if (print === printJson && cause instanceof ConfigError) {
      terminal.print(printableJson({ valid: false, problems: cause.problems }));
    }
    throw cause;
  });
  print(findings, terminal);
  if (!isStrict || findings.warnings.length === 0) return success;
  terminal.printError(whyStrictFails(findings));
  return failure;
}

function printJson({ summary, warnings }: Findings, terminal: Terminal): void {
  terminal.print(printableJson({ valid: true, warnings, ...summary }));
}

function printText({ summary, warnings }: Findings, terminal: Terminal): void {
  for (const { about, message } of warnings) {
    // The summary below lists the leniencies.
    if (about !== "leniencies") terminal.printError(`warning: ${message}`);
  }
  terminal.print(["The configuration is valid.", "", ...linesOf(summary)].join("\n"));
}

/**
 * The summary above lists the leniencies, but not as what made the check fail. On one's own
 * machine, an address without TLS is no mistake, and named apart.
 */
function whyStrictFails({ summary, warnings }: Findings): string {
  const others = warnings.filter(({ about }) => about !== "leniencies").length;
  const isLocal = ({ setting }: Leniency) => isLocalAddress(summary, setting);
  const local = summary.leniencies.filter(isLocal);
  const lenient = summary.leniencies.filter((each) => !isLocal(each));
  const causes = [
    others > 0 && counted(others, "warning"),
    lenient.length > 0 && `what its leniencies permit: ${lenient.map(describe).join("; ")}`,
    local.length > 0 && `an address on this machine: ${local.map(describe).join("; ")}`,
  ].filter(Boolean);
  const isAllLocal = others + lenient.length === 0;
  const rest = isAllLocal ? " Nothing else is in its way." : "";
  return `--strict fails because of ${causes.join(" and ")}.${rest}`;
}

/** Whether a setting is an address without TLS that only this machine can reach. */
function isLocalAddress(summary: Summary, setting: string): boolean {
  if (!addresses.includes(setting)) return false;
  return isLoopbackHost(new URL(String(summary[setting as keyof Summary])).hostname);
}

const addresses: readonly string[] = ["issuer", "frontChannelUrl", "backChannelUrl"];

function describe({ setting, effect, see }: Leniency): string {
  return `${setting} ${effect} (${see})`;
}

/** Checks all parts, and continues after each problem as far as the rest does not depend on it. */
async function examineServer(
  configuration: Configuration,
  known: Pick<WarningFacts, "site" | "misspelled">,
): Promise<Findings> {
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
  await attempt(async () => await readMtlsTls(program, await readTls(program) ?? {}));
  const opened = await attempt(() => openExisting(program.store)) ?? memoryStore();
  try {
    const config = { issuer: known.site.issuer, ...settings, store: opened };
    await attempt(() => checkNoLabSetting(lab));
    const server = await attempt(() => createStrictServer(config, {}));
    const directory = server && await attempt(() => checkStore(server));
    if (!server || !directory || problems.length > 0) {
      throw new ConfigError(problems, "start the server");
    }
    const ctx = server.context;
    const summary = summarize(ctx, directory, program);
    const warnings = findWarnings({
      ...known,
      settings: ctx.settings,
      encryption: ctx.keys.encryption,
      configuration: settings,
      counts: { clients: summary.clients.length, users: summary.users },
      directory,
      leniencies: summary.leniencies,
      idleRefreshers: await findIdleRefreshers(ctx, summary.clients),
      storeWarnings: ctx.settings.store.warnings,
      keys: await ctx.keys.list(),
      userProblems: (await Promise.all(featureProblems.map((find) => find(ctx)))).flat(),
      otherIssuer: await findOtherIssuer(ctx),
      history: await readHistory(ctx),
    });
    return { summary, warnings };
  } finally {
    await opened.close();
  }
}

/** A configuration of a lab is one to start: a lab refuses it with every problem, too. */
function checkNoLabSetting(lab: LabFileConfig): void {
  const setting = findLabSetting(lab);
  if (setting === undefined) return;
  throw new UsageError(
    `hallpass serve does not accept '${setting}', which is for labs only: ` +
      `${testSettings[setting]}. If this is the configuration of a lab, start it, which checks ` +
      "it: hallpass lab --port 0 --config FILE",
  );
}

/**
 * Opens a store that exists. A check creates no file: for a new one it looks only for the folder.
 */
async function openExisting(store: ProgramConfig["store"]): Promise<Store> {
  const path = typeof store === "string" ? sqlitePath(store) : undefined;
  if (path === undefined || await pathExists(path)) {
    return await openStore(store, { isRealTime: true });
  }
  if (await pathExists(dirname(path))) return memoryStore();
  throw new UsageError(`The store ${store} cannot be opened: there is no folder ${dirname(path)}`);
}

/** Checks what is in the store, and returns the clients and users. */
async function checkStore(server: InternalServer): Promise<ServerDirectory> {
  await createAdministration(server.context).keys.checkSecret();
  const directory = await readDirectory(server.context);
  if (directory.problems.length > 0) throw new ConfigError(directory.problems, "start the server");
  await checkNoTestKeys(server);
  const { keys } = server.context;
  // Each stored key must be one, as at the start, which loads them.
  for (const { kid } of await keys.list()) await keys.find(kid);
  return directory;
}

async function readHistory(ctx: Context): Promise<WarningFacts["history"]> {
  const { changes } = createAdministration(ctx);
  return { changes: await changes.list(), now: ctx.now() };
}

function summarize(
  ctx: Context,
  { clients, users }: ServerDirectory,
  { store }: ProgramConfig,
) {
  const { settings } = ctx;
  const endpoints = Object.keys(ctx.metadata()).filter((name) => name.endsWith("_endpoint"));
  return {
    issuer: settings.issuer,
    frontChannelUrl: settings.frontChannelUrl,
    backChannelUrl: settings.backChannelUrl,
    profile: settings.profile.name,
    store: nameOfStore(settings.store, store),
    keysAreEncrypted: ctx.keys.encryption.isSecret,
    endpoints: endpoints.map((name) => name.replace("_endpoint", "")),
    grants: settings.grantTypes,
    scopes: [...settings.scopes.keys()],
    clients: namesIn(clients),
    users: namesIn(users).length,
    features: featureLines.map((describe) => describe(settings)),
    leniencies: [
      ...findLeniencies(settings, []),
      ...clients.flatMap(({ leniencies }) => leniencies),
    ],
    notHardened: findNotHardened(settings, clients),
    /** The scopes that each client has because the server gained them. */
    gainedScopes: Object.fromEntries(
      clients.flatMap(({ name, gained = [] }) => gained.length > 0 ? [[name, gained]] : []),
    ),
    /** The clients that no default of the server reaches. */
    frozenClients: clients.filter(({ isFrozen }) => isFrozen).map(({ name }) => name),
  };
}

function linesOf(summary: Summary): string[] {
  const { leniencies, notHardened, frozenClients } = summary;
  const gained = Object.entries(summary.gainedScopes);
  return [
    line("Issuer", summary.issuer),
    line("Browsers", summary.frontChannelUrl),
    line("Applications", summary.backChannelUrl),
    line("Profile", summary.profile),
    line("Store", summary.store),
    line(
      "Signing keys",
      summary.keysAreEncrypted ? "encrypted with HALLPASS_SECRET" : "not encrypted",
    ),
    line("Endpoints", summary.endpoints.join(", ")),
    line("Grants", summary.grants.join(", ")),
    line("Scopes", summary.scopes.join(", ")),
    line("Clients", summary.clients.join(", ") || "none"),
    ...gained.length > 0
      ? [line("New scopes", gained.map(([id, scopes]) => `${id}: ${scopes.join(" ")}`).join(", "))]
      : [],
    ...frozenClients.length > 0
      ? [line("Old clients", `${frozenClients.join(", ")}, which follow no default of the server`)]
      : [],
    line("Users", `${summary.users}`),
    ...summary.features.map(([name, text]) => line(name, text)),
    line("Leniencies", leniencies.length === 0 ? "none" : ""),
    ...leniencies.map((each) => `  - ${describe(each)}`),
    line("Not hardened", notHardened.length === 0 ? "nothing" : aboutNotHardened),
    ...notHardened.map(({ setting, effect }) => `  - ${setting} ${effect}`),
  ];
}

/** Prefers the store's own name: the URL of a store may contain a password. */
function nameOfStore({ name }: Store, configured: ProgramConfig["store"]): string {
  // A file that does not exist yet is not opened.
  if (typeof configured === "string" && sqlitePath(configured) !== undefined) return configured;
  return name ?? "memory";
}

function line(name: string, value: string): string {
  const text = wrap(value, 80 - labelWidth).join(`\n${" ".repeat(labelWidth)}`);
  return `${name.padEnd(labelWidth)}${text}`.trimEnd();
}
