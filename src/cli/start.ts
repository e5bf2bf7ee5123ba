import { isLoopbackHost } from "../protocol/issuer_url.ts";
import type { Config } from "../issuer/config.ts";
import type { Event } from "../issuer/events.ts";
import type { Store } from "../store/store.ts";
import { memoryStore } from "../store/memory.ts";
import type { Server } from "../server.ts";
import { createServer } from "../server.ts";
import { createLab } from "../lab/lab.ts";
import { serve } from "../runtime/serve.ts";
import type { Arguments } from "./arguments.ts";
import { UsageError } from "./arguments.ts";
import type { FileConfig } from "./config_file.ts";
import { read, readConfigFile } from "./config_file.ts";

/** A server that listens. */
export interface Running {
  server: Server;
  /** Whether its store outlives the process. */
  lasting: boolean;
  /** Lets what is in flight finish, then closes the store. */
  stop(): Promise<void>;
}

type Environment = Record<string, string | undefined>;

/** Starts what the command line asks for. */
export async function start(args: Arguments, environment: Environment, onEvent: (event: Event) => void): Promise<Running> {
  const { values } = args;
  const { store: fileStore, port: filePort, host: fileHost, cert, key, ...file } = await readFile(args, environment);
  const tls = await readTls(values.cert ?? cert, values.key ?? key);
  const host = values.host ?? fileHost ?? (values.expose ? "0.0.0.0" : "localhost");
  if (args.command === "lab") checkExposure(host, values);
  const store = await openStore(values.store ?? fileStore ?? "memory");

  const door: { fetch: Server["fetch"] } = { fetch: async () => new Response(null, { status: 503, headers: { "Retry-After": "1" } }) };
  const listening = await serve({ fetch: (request) => door.fetch(request) }, {
    port: Number(values.port ?? filePort ?? 9000),
    hostname: host,
    ...tls,
  });
  const stop = async () => {
    await listening.close();
    await store.close();
  };
  try {
    const server = makeServer(args, {
      ...file,
      // Only now is it known which port a free one was.
      issuer: values.issuer ?? file.issuer ?? `${tls ? "https" : "http"}://localhost:${listening.port}`,
      ...values.alg && { alg: values.alg as Config["alg"] },
      ...environment.HALLPASS_SECRET && { secret: environment.HALLPASS_SECRET },
      store,
      onEvent,
    });
    door.fetch = server.fetch;
    return { server, lasting: (values.store ?? fileStore ?? "memory") !== "memory", stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

function makeServer(args: Arguments, config: Config): Server {
  return args.command === "lab" ? createLab({ ...config, redirectUris: args.redirectUris }) : createServer(refuseInsecure(config));
}

async function readFile({ command, values }: Arguments, environment: Environment): Promise<FileConfig> {
  if (values.config) return await readConfigFile(values.config, environment);
  if (command === "serve") throw new UsageError("hallpass serve needs a configuration: --config FILE. To try things out: hallpass lab");
  return {};
}

async function readTls(cert: string | undefined, key: string | undefined): Promise<{ cert: string; key: string } | undefined> {
  if (!cert && !key) return undefined;
  if (!cert || !key) throw new UsageError("TLS needs both --cert and --key.");
  return { cert: await read(cert), key: await read(key) };
}

/** A lab signs in everybody: it must not be open to a network by accident. */
function checkExposure(host: string, values: Arguments["values"]): void {
  const open = !isLoopbackHost(host) && host !== "::1";
  if (open && !values.expose) {
    throw new UsageError(
      `On ${host}, other machines could reach this lab and sign in as anybody; if that is meant, say --expose and --lab-token TOKEN.`,
    );
  }
  if (values.expose && !values["lab-token"]) throw new UsageError("--expose needs --lab-token TOKEN, which guards the lab's powers.");
}

async function openStore(store: string | Store): Promise<Store> {
  if (typeof store !== "string") return store;
  if (store === "memory") return memoryStore();
  if (!store.startsWith("sqlite:")) throw new UsageError(`The store is neither memory nor sqlite:PATH: ${store}`);
  const { sqliteStore } = await import("../store/sqlite.ts");
  try {
    return sqliteStore(store.slice("sqlite:".length));
  } catch (cause) {
    throw new UsageError(`The store ${store} cannot be opened: ${cause instanceof Error ? cause.message : cause}`);
  }
}

/** What helps in a lab has no place where real people sign in. */
function refuseInsecure(config: Config): Config {
  if (!config.insecure) return config;
  throw new UsageError(
    "hallpass serve refuses 'insecure' settings. Take them out: give the server an https issuer, with --cert and --key or a proxy in front; to try things out without: hallpass lab",
  );
}
