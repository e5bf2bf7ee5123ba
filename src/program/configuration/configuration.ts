import { ConfigError } from "../../server/config/problems.ts";
import { type Invocation, valueOf } from "../command_line/command.ts";
import { settingsOf } from "../command_line/option.ts";
import { serverOptions } from "../command_line/options.ts";
import type { Environment } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage_error.ts";
import {
  type FileConfig,
  readConfigFile,
  readEnvironmentConfig,
  splitSettings,
} from "./config_file.ts";
import { mtlsSettings } from "./mtls_settings.ts";
import { findProgramProblems, type ProgramConfig } from "./program_config.ts";
import { programDefaults } from "./program_schema.ts";
import { secretVariable } from "./secret_variables.ts";
import { findServerProblems } from "./server_problems.ts";

/** The port that clients call which have a host in their code. */
const httpsPort = 443;
const emptyFile: FileConfig = {
  program: {},
  lab: {},
  server: {},
  secretVariables: [],
  missingSecrets: [],
};

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
  const usualPort = hasRealHosts(invocation, file.lab) ? httpsPort : programDefaults.port;
  const program = { ...file.program, ...given.program };
  const server = { ...file.server, ...given.server };
  return {
    ...file,
    program: { ...program, port: program.port ?? usualPort },
    hasTls: Boolean(program.cert || program.key) || makesCertificate(invocation, file),
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

/** Whether a lab listens with a certificate that it makes. */
function makesCertificate(invocation: Invocation, { lab }: Pick<FileConfig, "lab">): boolean {
  return invocation.values.has("tls") || hasRealHosts(invocation, lab);
}

/** Whether the providers that a lab plays have their real hosts. */
export function hasRealHosts(
  { values }: Invocation,
  { hosts = false }: FileConfig["lab"],
): boolean {
  return values.has("hosts") || Boolean(hosts);
}

/** Checks that the environment holds every secret that the configuration reads from it. */
export function checkSecretsPresent({ missingSecrets }: Configuration): void {
  if (missingSecrets.length > 0) {
    throw new UsageError(missingSecrets.map(missingSecretProblem).join("\n"));
  }
}

/** Returns the sentence for an environment variable that should hold a secret. */
export function missingSecretProblem(name: string): string {
  return `The configuration reads a secret from the environment variable ${name}, which is not ` +
    "set.";
}

/** Returns the name or address to listen on: by default this machine alone. */
export function hostOf(invocation: Invocation, { program }: Configuration): string {
  return program.host ?? (valueOf(invocation, "expose") ? "0.0.0.0" : programDefaults.host);
}

/** Returns the URL of the server on this machine. */
export function listenAddressOf({ hasTls }: Pick<Configuration, "hasTls">, port: number): string {
  return new URL(`${hasTls ? "https" : "http"}://localhost:${port}`).origin;
}

/**
 * The loopback address that stands for all addresses of its family; `localhost` could mean the
 * other one.
 */
const loopbackOf: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

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
