import type { Config } from "../config/config.ts";
import type { OutboundFetch } from "../http/outbound_fetch.ts";
import { fetchByOrigin } from "../lab/page_origin.ts";
import type { SigningAlgorithm } from "../model/signing.ts";
import { guardedFetch } from "../runtime/guarded_fetch.ts";
import { type Invocation, valueOf } from "./command.ts";
import { type ProgramConfig, readConfigFile } from "./config_file.ts";
import type { Environment } from "./environment.ts";
import { UsageError } from "./usage_error.ts";

/** What a call, its file and its environment say together. */
export interface Configuration {
  server: Omit<Partial<Config>, "store">;
  program: ProgramConfig;
  /** Variables of the environment that the file takes secrets from, and that are not set. */
  missing: readonly string[];
}

/** Puts the file, the options and the environment together: an option outweighs the file. */
export async function readConfiguration(
  invocation: Invocation,
  environment: Environment,
): Promise<Configuration> {
  const option = (name: string) => valueOf(invocation, name);
  const path = option("config");
  const file = path
    ? await readConfigFile(path, environment)
    : { program: {}, server: {}, missing: [] };
  const { insecure } = file.server;
  // A lab that only this machine reaches may fetch from this machine what its strangers, the clients under test, point to.
  const privateFetches = insecure?.privateFetches ??
    (invocation.command === "lab" && !option("expose"));
  return {
    missing: file.missing,
    program: {
      store: option("store") ?? file.program.store,
      port: Number(option("port") ?? file.program.port ?? 9000),
      host: option("host") ?? file.program.host,
      cert: option("cert") ?? file.program.cert,
      key: option("key") ?? file.program.key,
    },
    server: {
      fetchUntrusted: privateFetches ? fetchFromHere() : guardedFetch(),
      ...file.server,
      ...privateFetches && { insecure: { ...insecure, privateFetches } },
      ...option("issuer") && { issuer: option("issuer") },
      ...option("front-channel") && { frontChannelUrl: option("front-channel") },
      ...option("back-channel") && { backChannelUrl: option("back-channel") },
      ...option("profile") && { profile: option("profile") as Config["profile"] },
      ...option("alg") && { alg: option("alg") as SigningAlgorithm },
      ...environment.HALLPASS_SECRET && { secret: environment.HALLPASS_SECRET },
    },
  };
}

/** A page in some browser on this machine is no client that runs here. */
function fetchFromHere(): OutboundFetch {
  return fetchByOrigin(guardedFetch({ allowPrivate: true }), guardedFetch());
}

/** Says which secrets of the environment are not there. */
export function checkNothingMissing({ missing }: Configuration): void {
  if (missing.length > 0) throw new UsageError(missing.map(missingProblem).join("\n"));
}

export function missingProblem(name: string): string {
  return `The configuration takes a secret from the environment variable ${name}, which is not set.`;
}

/** What the program listens on: this machine alone, unless something else is said. */
export function hostOf(invocation: Invocation, { program }: Configuration): string {
  return program.host ?? (valueOf(invocation, "expose") ? "0.0.0.0" : "localhost");
}

/** Where the server is found on this machine. */
export function listenAddressOf({ program }: Configuration, port: number): string {
  return `${program.cert || program.key ? "https" : "http"}://localhost:${port}`;
}
