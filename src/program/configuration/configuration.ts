import { ConfigError } from "../../server/config/problems.ts";
import { isBelowLocalhost, parseUrl } from "../../server/util/addresses/uri.ts";
import { messagesOf } from "../../server/util/text/error_message.ts";
import { type Invocation, settingsOf, valueOf } from "../command_line/command.ts";
import { serverOptions } from "../command_line/options.ts";
import { hasRealHosts } from "../features/providers/command_line.ts";
import { UsageError } from "../terminal/exit_code.ts";
import type { Environment } from "../terminal/terminal.ts";
import {
  type FileConfig,
  readConfigFile,
  readEnvironmentConfig,
  splitSettings,
} from "./config_file.ts";
import { mtlsSettings } from "./mtls_settings.ts";
import {
  findProgramProblems,
  type ProgramConfig,
  programDefaults,
  type ServerConfig,
} from "./program_config.ts";
import { secretVariable } from "./secret_variables.ts";

/** The port that clients call which have a host in their code. */
const httpsPort = 443;

/** What gives a lab the hosts of others. */
const hostChoices: ReadonlyArray<(invocation: Invocation, lab: FileConfig["lab"]) => boolean> = [
  hasRealHosts,
];

const emptyFile: FileConfig = {
  files: [],
  program: {},
  lab: {},
  server: {},
  secretVariables: [],
  missingSecrets: [],
};

/**
 * The loopback address that stands for all addresses of its family; `localhost` could mean the
 * other one.
 */
const loopbackOf: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** The settings from the command line, the environment and the configuration file. */
export interface Configuration extends FileConfig {
  program: ProgramConfig & { port: number };
  /** Whether the program listens with https. */
  hasTls: boolean;
}

/** Reads the configuration, of a server or a lab. An option overrides the file. */
export async function readConfiguration(
  invocation: Invocation,
  environment: Environment,
  isLab = false,
): Promise<Configuration> {
  const file = await readGivenConfig(invocation, environment);
  await checkProgramSettings(file, isLab);
  const given = splitSettings(settingsOf(serverOptions, invocation.values));
  const program = { ...file.program, ...given.program };
  const server = { ...file.server, ...given.server };
  const hasTls = Boolean(program.cert || program.key) || makesCertificate(invocation, file);
  const labPort = isLab ? portOfLab(server, hasTls) : undefined;
  const usualPort = isAtRealHosts(invocation, file.lab)
    ? httpsPort
    : labPort ?? programDefaults.port;
  return {
    ...file,
    program: { ...program, port: program.port ?? usualPort },
    hasTls,
    server: {
      ...server,
      ...await mtlsSettings(program, server),
      ...environment[secretVariable] ? { secret: environment[secretVariable] } : {},
    },
  };
}

/** Reports malformed settings of the program and, of a server, what else it would refuse. */
async function checkProgramSettings(
  { program, server }: FileConfig,
  isLab: boolean,
): Promise<void> {
  const problems = findProgramProblems(program);
  if (problems.length === 0) return;
  const others = isLab ? [] : await findServerProblems(server);
  throw new ConfigError([...problems, ...others], "start the server");
}

/**
 * Returns what a server would refuse of its settings. An operator whose configuration is refused
 * anyway learns of all problems at once.
 */
export async function findServerProblems(server: ServerConfig): Promise<readonly string[]> {
  const { createFullServer } = await import("../../server/features.ts");
  try {
    createFullServer({ issuer: "http://localhost", ...server });
    return [];
  } catch (cause) {
    return cause instanceof ConfigError ? cause.problems : [messagesOf(cause)];
  }
}

async function readGivenConfig(
  invocation: Invocation,
  environment: Environment,
): Promise<FileConfig> {
  const path = valueOf(invocation, "config");
  const inEnvironment = await readEnvironmentConfig(environment);
  if (path === undefined) return inEnvironment ?? emptyFile;
  if (inEnvironment) {
    throw new UsageError("Two configurations: set either --config or HALLPASS_CONFIG_JSON.");
  }
  return await readConfigFile(path, environment);
}

/** Returns the port of an issuer below localhost, where its lab listens if nothing forwards to it. */
function portOfLab(
  { issuer = "", trustedProxies }: ServerConfig,
  hasTls: boolean,
): number | undefined {
  const url = parseUrl(issuer);
  if (!url || !isBelowLocalhost(url.hostname) || trustedProxies !== undefined) return undefined;
  if (url.protocol !== (hasTls ? "https:" : "http:")) return undefined;
  return Number(url.port) || undefined;
}

/** Whether a feature gives a lab the hosts of others, which clients call at the port of https. */
function isAtRealHosts(invocation: Invocation, lab: FileConfig["lab"]): boolean {
  return hostChoices.some((hasHosts) => hasHosts(invocation, lab));
}

function makesCertificate(invocation: Invocation, { lab }: FileConfig): boolean {
  return invocation.values.has("tls") || isAtRealHosts(invocation, lab);
}

/** Returns the name or address to listen on: by default this machine alone. */
export function hostOf(invocation: Invocation, { program }: Configuration): string {
  return program.host ?? (valueOf(invocation, "expose") ? "0.0.0.0" : programDefaults.host);
}

/** Returns the URL of the server on this machine. */
export function listenAddressOf({ hasTls }: Pick<Configuration, "hasTls">, port: number): string {
  return new URL(`${hasTls ? "https" : "http"}://localhost:${port}`).origin;
}

/** Returns where this machine reaches what listens on a host name or address. */
export function reachableHost(hostname: string): string {
  return loopbackOf[hostname] ?? hostname;
}

/** Returns the http URL at which this machine reaches what listens on a host name or address. */
export function urlOfAddress(hostname: string, port: number, scheme = "http"): string {
  return `${scheme}://${bracketed(reachableHost(hostname))}:${port}`;
}

/** Returns a host as a URL has it: an IPv6 address is in brackets. */
export function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
