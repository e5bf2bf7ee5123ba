import { findOtherIssuer, noteIssuer } from "../../administration/store_issuer.ts";
import { version } from "../../runtime/version.ts";
import type { InternalServer } from "../../server/server.ts";
import type { Invocation } from "../command_line/command.ts";
import { isConfigured } from "../configuration/config_file.ts";
import { bracketed } from "../configuration/configuration.ts";
import { type ProgramConfig, readTls } from "../configuration/program_config.ts";
import { exportOtlp } from "../features/otlp/monitoring/export_otlp.ts";
import { followInServe } from "../features/watch/operate/follow_in_serve.ts";
import { createEventFormat } from "../monitoring/log.ts";
import type { OpenMonitor } from "../monitoring/metrics.ts";
import { type Colors, colorsFor, noColors } from "../terminal/color.ts";
import { UsageError } from "../terminal/exit_code.ts";
import { ownName } from "../terminal/own_name.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Companion } from "./companion.ts";
import { countDirectory, type DirectoryCounts } from "./directory.ts";
import { labeled, linked } from "./greeting_lines.ts";
import { findWarnings } from "./operation_warnings.ts";
import {
  announce,
  type Notice,
  readServerConfiguration,
  runServer,
  type ServerRun,
} from "./run_server.ts";
import { siteOf } from "./site.ts";
import type { ServerAtSite } from "./start_server.ts";
import { strictOpening } from "./strict_server.ts";

/** What each address to listen on means. */
const reach: Readonly<Record<string, string>> = {
  "localhost": " (this machine only)",
  "127.0.0.1": " (this machine only)",
  "::1": " (this machine only)",
  "0.0.0.0": " (every IPv4 address of this machine)",
  "::": " (every address of this machine)",
};

/** What features monitor of a server, if the environment asks for it. */
const monitors: readonly OpenMonitor[] = [
  exportOtlp,
];

/** What features do with a server that runs. */
const companions: readonly Companion[] = [
  followInServe,
];

/** Starts a server for real use. */
export async function runServeCommand(invocation: Invocation, terminal: Terminal): Promise<void> {
  const preparing = prepare(invocation, terminal);
  const running = await runServer(preparing, terminal);
  const { configuration } = await preparing;
  const { program } = configuration;
  const { environment, isInteractive } = terminal;
  const { context } = running.server;
  const counts = await countDirectory(context);
  const warnings = await startWarnings(running);
  await noteIssuer(context);
  const colors = colorsFor(environment, isInteractive);
  const greeting = greetServer(running, counts, program, colors);
  await announce(terminal, running, { form: program.log, greeting, warnings });
  for (const accompany of companions) accompany({ invocation, terminal, running, configuration });
}

/** Returns what a configuration does not show. All other warnings are those of `check`. */
export async function startWarnings(
  { server: { context }, site }: ServerAtSite,
): Promise<string[]> {
  const found = findWarnings({
    site,
    started: { onDeno: "Deno" in globalThis, alg: context.settings.alg },
    storeWarnings: context.settings.store.warnings,
    keys: await context.keys.list(),
    otherIssuer: await findOtherIssuer(context),
  });
  return found.map(({ message }) => message);
}

/** Returns what a server for real use says when it is ready. */
export function greetServer(
  { server, site }: ServerAtSite,
  counts: DirectoryCounts,
  { log = "text", logLevel = "info" }: ProgramConfig,
  colors: Colors = noColors,
): Notice {
  const { issuer, store } = server.context.settings;
  const { host, port, hasTls, mtls } = site;
  const listens = `${hasTls ? "https" : "http"}://${bracketed(host)}:${port}`;
  const facts = { version, issuer, listens, store: store.name, log, logLevel, ...counts };
  const text = [
    colors.strong(`Hallpass ${version}`),
    "",
    linked("Issuer", issuer, colors),
    labeled("Listens", `${colors.link(listens)}${reach[host] ?? ""}`, colors),
    ...mtls
      ? [labeled("mTLS", colors.link(`https://${bracketed(mtls.host)}:${mtls.port}`), colors)]
      : [],
    labeled("Store", printable(store.name ?? "of the configuration"), colors),
    labeled("Log", log === "off" ? "off" : `${log}, from level ${logLevel}`, colors),
    labeled("Clients", `${counts.clients}`, colors),
    labeled("Users", `${counts.users}`, colors),
    "",
  ].join("\n");
  return { type: "program.started", facts, text };
}

async function prepare(
  invocation: Invocation,
  terminal: Terminal,
): Promise<ServerRun<InternalServer>> {
  if (!isConfigured(invocation, terminal.environment)) {
    throw new UsageError(
      `hallpass serve needs a configuration: --config FILE. To try things out: ${ownName()} lab`,
    );
  }
  const configuration = await readServerConfiguration(invocation, terminal);
  const { program } = configuration;
  return {
    ...strictOpening(configuration),
    openMonitors: (warn) => monitors.flatMap((open) => open(terminal.environment, warn) ?? []),
    site: await siteOf(invocation, configuration, terminal.environment),
    listenOptions: await readTls(program) ?? {},
    isRealTime: true,
    format: createEventFormat(program.log ?? "text", program.logLevel ?? "info"),
  };
}
