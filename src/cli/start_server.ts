import type { Config } from "../config/config.ts";
import type { ServerEvent } from "../config/events.ts";
import { labTokenProblem } from "../lab/control/lab_token.ts";
import { testOnly } from "../lab/keys/test_keys.ts";
import type { Lab } from "../lab/lab.ts";
import type { LabEvent } from "../lab/lab_event.ts";
import type { LabConfig } from "../lab/lab_server.ts";
import { openLab } from "../lab/open_lab.ts";
import { isTaken } from "../runtime/listen.ts";
import { guardedFetch, type Listening, serve, type ServeOptions } from "../runtime/serve.ts";
import { createInternalServer, type InternalServer } from "../server.ts";
import { isLoopbackHost } from "../util/loopback.ts";
import { type Invocation, valueOf } from "./command.ts";
import {
  checkNothingMissing,
  hostOf,
  listenAddressOf,
  readConfiguration,
} from "./configuration.ts";
import type { Environment } from "./environment.ts";
import { openStore } from "./open_store.ts";
import { readTls } from "./tls.ts";
import { UsageError } from "./usage_error.ts";

/** A server that listens. */
export interface RunningServer {
  server: InternalServer;
  /** Where it can be reached from this machine. */
  address: string;
  /** What it listens on: a name, or an IP address. */
  hostname: string;
  /** Where the powers of a lab are, if they have a port of their own. */
  powers?: string;
  /** Lets what is in flight finish, then closes the store. */
  stop(): Promise<void>;
}

/** Starts what the command line asks for. */
export async function start(
  invocation: Invocation,
  environment: Environment,
  onEvent: (event: ServerEvent | LabEvent) => void,
): Promise<RunningServer> {
  if (invocation.command === "serve" && !invocation.values.has("config")) {
    throw new UsageError(
      "hallpass serve needs a configuration: --config FILE. To try things out: hallpass lab",
    );
  }
  const configuration = await readConfiguration(invocation, environment);
  checkNothingMissing(configuration);
  const { program } = configuration;
  const tls = await readTls(program.cert, program.key);
  const hostname = hostOf(invocation, configuration);
  if (invocation.command === "lab") {
    checkExposure(hostname, valueOf(invocation, "expose"), valueOf(invocation, "lab-token"));
  }
  const store = await openStore(program.store);

  let server: InternalServer | Lab | undefined;
  const make = async (port: number) => {
    server = makeServer(invocation, {
      issuer: listenAddressOf(configuration, port),
      ...configuration.server,
      store,
      onEvent,
      onLabEvent: onEvent,
    });
    if (invocation.command === "serve") await checkNoTestKeys(server);
    await server.ready();
    return server;
  };
  const listening = await serve(make, { port: program.port, hostname, ...tls }).catch(
    async (cause) => {
      await store.close();
      throw isTaken(cause)
        ? new Error(
          `port ${program.port} is taken; choose another one with --port N, or any free one with --port 0`,
        )
        : cause;
    },
  );
  const powers = await serveLabControl(invocation, server!, { hostname, ...tls });
  return {
    server: server!,
    powers: powers && `${listenAddressOf(configuration, powers.port)}/lab`,
    address: listenAddressOf(configuration, listening.port),
    hostname,
    stop: async () => {
      // What a lab lets wait, would keep the connections open.
      if ("release" in server!) server.release();
      await Promise.all([listening.close(), powers?.close()]);
      await server!.close();
    },
  };
}

/** The powers of a lab on a port of their own, where one is named. */
async function serveLabControl(
  invocation: Invocation,
  server: InternalServer | Lab,
  options: ServeOptions,
): Promise<Listening | undefined> {
  const port = valueOf(invocation, "lab-port");
  if (port === undefined || !("control" in server)) return undefined;
  return await serve({ fetch: (request) => server.control(request) }, {
    ...options,
    port: Number(port),
  });
}

function makeServer(
  invocation: Invocation,
  { onLabEvent, ...config }: LabConfig,
): InternalServer | Lab {
  if (invocation.command === "serve") return createStrictServer(config);
  return openLab({
    ...config,
    onLabEvent,
    redirectUris: invocation.values.get("redirect-uri"),
    labToken: valueOf(invocation, "lab-token"),
    controlApart: invocation.values.has("lab-port"),
  });
}

/** A server for real use takes no settings that weaken it. */
export function createStrictServer(config: Config): InternalServer {
  if (config.insecure) {
    throw new UsageError(
      "hallpass serve refuses 'insecure' settings. Take them out: give the server an https issuer, with --cert and --key or a proxy in front. To try things out without: hallpass lab",
    );
  }
  return createInternalServer({ fetchUntrusted: guardedFetch(), ...config });
}

/** Everybody has the keys of a lab; a store that a lab has written can serve nobody else. */
export async function checkNoTestKeys({ context }: InternalServer): Promise<void> {
  const keys = await context.records.keys.list();
  if (keys.some(([, { kid }]) => kid.startsWith(testOnly))) {
    throw new UsageError(
      "This store was used by a lab: its signing keys are known to everybody. Give the server a store of its own.",
    );
  }
}

/** A lab signs in everybody: it must not be open to a network by accident. */
function checkExposure(
  hostname: string,
  expose: string | undefined,
  labToken: string | undefined,
): void {
  if (!isLoopbackHost(hostname) && !expose) {
    throw new UsageError(
      `On ${hostname}, other machines could reach this lab and sign in as anybody; if that is meant, say --expose and --lab-token TOKEN.`,
    );
  }
  if (expose && !labToken) {
    throw new UsageError("--expose needs --lab-token TOKEN, which guards the lab's powers.");
  }
  const problem = labToken && labTokenProblem(labToken);
  if (problem) throw new UsageError(`--lab-token ${problem}`);
}
