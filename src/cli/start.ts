import { isLoopbackHost } from "../protocol/loopback.ts";
import type { SigningAlgorithm } from "../protocol/signing.ts";
import type { Config } from "../config/config.ts";
import type { Event } from "../config/events.ts";
import type { Store } from "../store/store.ts";
import { memoryStore } from "../store/memory.ts";
import type { Server } from "../server.ts";
import { createServer } from "../server.ts";
import { createLab } from "../lab/lab.ts";
import { testOnly } from "../lab/test_keys.ts";
import { isTaken, serve } from "../runtime/serve.ts";
import type { Arguments } from "./arguments.ts";
import type { FileConfig } from "./config_file.ts";
import { messageOf, readConfigFile } from "./config_file.ts";
import type { Environment } from "./environment.ts";
import type { OptionName } from "./options.ts";
import { readTls } from "./tls.ts";
import { UsageError } from "./usage_error.ts";

/** A server that listens. */
export interface Running {
  server: Server;
  /** Where it can be reached from this machine. */
  address: string;
  /** Lets what is in flight finish, then closes the store. */
  stop(): Promise<void>;
}

/** Starts what the command line asks for. */
export async function start(args: Arguments, environment: Environment, onEvent: (event: Event) => void): Promise<Running> {
  const option = (name: OptionName) => args.values.get(name)?.at(-1);
  const file = await readFile(args, option("config"), environment);
  const tls = await readTls(option("cert") ?? file.program.cert, option("key") ?? file.program.key);
  const hostname = option("host") ?? file.program.host ?? (option("expose") ? "0.0.0.0" : "localhost");
  if (args.command === "lab") checkExposure(hostname, option("expose"), option("lab-token"));
  const store = await openStore(option("store") ?? file.program.store ?? "memory");
  const address = (port: number) => `${tls ? "https" : "http"}://localhost:${port}`;
  const port = Number(option("port") ?? file.program.port ?? 9000);

  let server: Server | undefined;
  const make = async (port: number) => {
    server = makeServer(args, {
      ...file.server,
      issuer: option("issuer") ?? file.server.issuer ?? address(port),
      ...option("alg") && { alg: option("alg") as SigningAlgorithm },
      ...environment.HALLPASS_SECRET && { secret: environment.HALLPASS_SECRET },
      store,
      onEvent,
    });
    await server.open();
    if (args.command === "serve") await refuseTestKeys(server);
    return server;
  };
  const listening = await serve(make, { port, hostname, ...tls }).catch(async (cause) => {
    await store.close();
    throw isTaken(cause) ? new Error(`port ${port} is taken; choose another one with --port N, or any free one with --port 0`) : cause;
  });
  return {
    server: server!,
    address: address(listening.port),
    stop: async () => {
      await listening.close();
      await server!.close();
    },
  };
}

function makeServer({ command, values }: Arguments, config: Config): Server {
  if (command === "lab") return createLab({ ...config, redirectUris: values.get("redirect-uri") });
  if (config.insecure) {
    throw new UsageError(
      "hallpass serve refuses 'insecure' settings. Take them out: give the server an https issuer, with --cert and --key or a proxy in front. To try things out without: hallpass lab",
    );
  }
  return createServer(config);
}

/** Everybody has the keys of a lab; a store that a lab has written can serve nobody else. */
async function refuseTestKeys({ context }: Server): Promise<void> {
  const keys = await context.records.keys.list();
  if (keys.some(([, { kid }]) => kid.startsWith(testOnly))) {
    throw new UsageError("This store was used by a lab: its signing keys are known to everybody. Give the server a store of its own.");
  }
}

async function readFile({ command }: Arguments, path: string | undefined, environment: Environment): Promise<FileConfig> {
  if (path) return await readConfigFile(path, environment);
  if (command === "serve") throw new UsageError("hallpass serve needs a configuration: --config FILE. To try things out: hallpass lab");
  return { program: {}, server: {} };
}

/** A lab signs in everybody: it must not be open to a network by accident. */
function checkExposure(hostname: string, expose: string | undefined, labToken: string | undefined): void {
  if (!isLoopbackHost(hostname) && !expose) {
    throw new UsageError(
      `On ${hostname}, other machines could reach this lab and sign in as anybody; if that is meant, say --expose and --lab-token TOKEN.`,
    );
  }
  if (expose && !labToken) throw new UsageError("--expose needs --lab-token TOKEN, which guards the lab's powers.");
}

async function openStore(store: string | Store): Promise<Store> {
  if (typeof store !== "string") return store;
  if (store === "memory") return memoryStore();
  if (!store.startsWith("sqlite:")) throw new UsageError(`The store is neither memory nor sqlite:PATH: ${store}`);
  try {
    const { sqliteStore } = await import("../store/sqlite.ts");
    return sqliteStore(store.slice("sqlite:".length));
  } catch (cause) {
    throw new UsageError(`The store ${store} cannot be opened: ${messageOf(cause)}`);
  }
}
