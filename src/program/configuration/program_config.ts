import { readFile, writeFile } from "node:fs/promises";
import program from "../../../static/settings/program.json" with { type: "json" };
import type { WholeLabSettings } from "../../lab/feature_types.ts";
import type { LabPowers } from "../../lab/lab_config.ts";
import { linkSchemas } from "../../server/config/link_schemas.ts";
import { collectProblems } from "../../server/config/problems.ts";
import { checkValue } from "../../server/config/schema.ts";
import type { Config } from "../../server/features.ts";
import type { Store } from "../../server/store/store.ts";
import { hasErrorCode } from "../../server/util/text/error_message.ts";
import type { LogLevel } from "../monitoring/event_level.ts";
import type { LogForm } from "../monitoring/log.ts";
import { UnavailableError, UsageError } from "../terminal/exit_code.ts";
import { reasonOf } from "../terminal/explain_error.ts";

export const programDefaults = program.ProgramConfig.defaults;
export const programSchema = linkSchemas(program).ProgramConfig;

/** The settings of the program. */
export interface ProgramConfig {
  /**
   * `memory`, `sqlite:PATH`, `postgres://HOST/DATABASE`, `redis://HOST:PORT` or, in a module, your
   * own store.
   *
   * @default "memory"
   */
  store?: string | Store | undefined;
  /**
   * The port to listen on; 0 picks a free one.
   *
   * @integer
   * @maximum 65535
   * @default 9000
   */
  port?: number | undefined;
  /**
   * The name or address to listen on.
   *
   * @default "localhost"
   */
  host?: string | undefined;
  /** The file of a TLS certificate, in PEM. */
  cert?: string | undefined;
  /** The file of its private key, in PEM. */
  key?: string | undefined;
  /**
   * A port for clients that connect with a certificate (RFC 8705). It has the server's certificate,
   * unless `mtlsCert` and `mtlsKey` name another.
   *
   * @integer
   * @maximum 65535
   */
  mtlsPort?: number | undefined;
  /**
   * The name or address to listen on for it.
   *
   * @default `host`
   */
  mtlsHost?: string | undefined;
  /** The file of the TLS certificate of that port, in PEM. */
  mtlsCert?: string | undefined;
  /** The file of its private key, in PEM. */
  mtlsKey?: string | undefined;
  /** The file of the certificates of the authorities that vouch for clients, in PEM. */
  mtlsCa?: string | undefined;
  /**
   * The format of the log.
   *
   * @default "text"
   */
  log?: LogForm | undefined;
  /**
   * The lowest level of events to log.
   *
   * @default "info"
   */
  logLevel?: LogLevel | undefined;
  /**
   * The port of `/metrics` and `/ready`; 0 picks a free one.
   *
   * @integer
   * @maximum 65535
   */
  metricsPort?: number | undefined;
  /**
   * The name or address to listen on for metrics.
   *
   * @default "localhost"
   */
  metricsHost?: string | undefined;
}

/** The settings of a lab that a configuration file may hold. `hallpass serve` refuses them. */
export interface LabFileConfig
  extends
    Omit<LabPowers, "onLabEvent" | "labToken" | "controlApart" | "pagesUrl" | "confined">,
    WholeLabSettings {}

/** The settings of the server in a file. Required members may be missing. */
export type ServerConfig = Omit<Partial<Config>, "store">;

/** Puts the content of files below a folder in the place of their paths, and names these files. */
export type SettingReader = (
  server: ServerConfig,
  folder: string,
  noteFile: (path: string) => void,
) => Promise<ServerConfig>;

/** A certificate and its private key, in PEM. */
export interface Tls {
  cert: string;
  key: string;
}

/** Returns what is malformed of what a configuration file holds for the program. */
export function findProgramProblems(program: ProgramConfig): readonly string[] {
  const { problems, report } = collectProblems();
  checkValue(programSchema, program, "", report);
  return problems;
}

/** Whether a configuration file is a module, and not JSON. */
export function isModule(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}

/** Reads a file that an option or the configuration names. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await readText(path);
  } catch (cause) {
    throw new UsageError(cannotRead(path, cause));
  }
}

/** Writes a file that an option names, if it names one. */
export async function writeTextFile(path: string | undefined, content: string): Promise<void> {
  if (path === undefined) return;
  try {
    await writeFile(path, content);
  } catch (cause) {
    throw new UsageError(`The file ${path} cannot be written: ${reasonOf(cause)}`);
  }
}

/** Reads the certificate and its key, if they are configured. */
export async function readTls(
  { cert, key }: ProgramConfig,
  options = "--cert and --key",
): Promise<Tls | undefined> {
  if (!cert && !key) return undefined;
  if (!cert || !key) throw new UsageError(`TLS needs both ${options}.`);
  return { cert: await readPem(cert, "CERTIFICATE"), key: await readPem(key, "PRIVATE KEY") };
}

/** Reads how the port for certificates listens, if there is one. */
export async function readMtlsTls(
  { mtlsPort, mtlsHost, mtlsCert, mtlsKey }: ProgramConfig,
  { cert, key }: { cert?: string | undefined; key?: string | undefined },
): Promise<Tls & { port: number } | undefined> {
  const own = await readTls({ cert: mtlsCert, key: mtlsKey }, "--mtls-cert and --mtls-key");
  if (mtlsPort === undefined) {
    if (own) throw new UsageError("--mtls-cert and --mtls-key need --mtls-port N.");
    if (mtlsHost !== undefined) throw new UsageError("--mtls-host needs --mtls-port N.");
    return undefined;
  }
  const tls = own ?? (cert && key ? { cert, key } : undefined);
  if (!tls) {
    throw new UsageError("--mtls-port needs --mtls-cert and --mtls-key, or --cert and --key.");
  }
  return { ...tls, port: mtlsPort };
}

/** Skips what tools write before the PEM: runtimes take text that begins otherwise for a path. */
export async function readPem(path: string, label: string): Promise<string> {
  const text = await readText(path).catch((cause) => {
    // Another program may still have to write it, such as certbot.
    const Failure = hasErrorCode(cause, "ENOENT") ? UnavailableError : UsageError;
    throw new Failure(cannotRead(path, cause));
  });
  const start = text.indexOf("-----BEGIN ");
  if (start < 0 || !text.includes(`${label}-----`)) {
    throw new UsageError(`The file ${path} holds no ${label.toLowerCase()} in PEM.`);
  }
  return text.slice(start);
}

async function readText(path: string): Promise<string> {
  // Some editors begin a file with the mark of its byte order.
  return (await readFile(path, "utf8")).replace(/^\ufeff/, "");
}

function cannotRead(path: string, cause: unknown): string {
  return `The file ${path} cannot be read: ${reasonOf(cause, path)}`;
}
