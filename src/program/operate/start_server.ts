import type { Lab } from "../../lab/control/lab.ts";
import type { Listening } from "../../runtime/serve.ts";
import type { InternalServer } from "../../server/server.ts";
import { second } from "../../server/util/time/duration.ts";
import { createDeferred, withTimeout } from "../../server/util/time/promises.ts";
import { type Environment, type Invocation, UsageError, valueOf } from "../command_line/command.ts";
import { isConfigured } from "../configuration/config_file.ts";
import {
  checkSecretsPresent,
  type Configuration,
  hostOf,
  listenAddressOf,
  readConfiguration,
} from "../configuration/configuration.ts";
import { readTls } from "../configuration/program_config.ts";
import { makeLabTls } from "../lab/lab_tls.ts";
import { ownName } from "../terminal/own_name.ts";
import { listenOn } from "./listen_on.ts";
import { openServer, type ProgramListener, type ServerStart } from "./open_server.ts";
import { openStore } from "./open_store.ts";
import { checkMetricsPort, serveMetrics } from "./serve_metrics.ts";
import { waitForStore } from "./wait_for_store.ts";

/** A server that listens. */
export interface RunningServer {
  server: InternalServer | Lab;
  /** Its URL on this machine. */
  address: string;
  /** The name or IP address that it listens on. */
  hostname: string;
  /** The URL of the metrics, if they are served, and the name or address that they listen on. */
  metricsUrl?: string | undefined;
  metricsHost?: string | undefined;
  /** The URL of a lab's control API, if that has a port of its own. */
  controlUrl?: string | undefined;
  /** The user whom a lab signs in without a page, if hands-free sign-in is on. */
  handsFreeUser?: string | undefined;
  /** The file with the certificate to trust, if a lab made one. */
  caFile?: string | undefined;
  /** Returns what was added to a lab but never fired, in one sentence. */
  idleWarning?(): Promise<string | undefined>;
  /** Lets requests in progress finish, then closes the store. */
  stop(): Promise<void>;
}

/** How long requests in progress may take when the server stops, in milliseconds. */
const stopTimeout = 8 * second * 1000;

/** Listens to a starting server. */
export interface StartListener {
  onEvent: ProgramListener;
  /** Receives warnings while the server waits. */
  warn(message: string): void;
}

/** Reads the configuration of the server that the command line asks for. */
export async function readServerConfiguration(
  invocation: Invocation,
  environment: Environment,
): Promise<Configuration> {
  if (invocation.command === "serve" && !isConfigured(invocation, environment)) {
    throw new UsageError(
      `hallpass serve needs a configuration: --config FILE. To try things out: ${ownName()} lab`,
    );
  }
  const configuration = await readConfiguration(invocation, environment);
  checkSecretsPresent(configuration);
  checkMetricsPort(configuration);
  return configuration;
}

/**
 * Starts the server that the command line asks for. The port of the metrics opens first, and that
 * of the server when it is ready.
 */
export async function startServer(
  invocation: Invocation,
  configuration: Configuration,
  listener: StartListener,
): Promise<RunningServer> {
  const { program } = configuration;
  const labTls = await makeLabTls(invocation, configuration);
  const { cert, key } = labTls ?? await readTls(program) ?? {};
  const hostname = hostOf(invocation, configuration);
  if (invocation.command === "lab") {
    const { checkDrillPermissions, checkExposure } = await import("../lab/check_exposure.ts");
    checkExposure(invocation, hostname);
    checkDrillPermissions(invocation.values.get("drill-origin") ?? []);
  }
  const listenAddress = {
    hostname,
    port: program.port,
    ...cert && key && { cert, key },
    // Browsers would remember it for a host that is used for tests.
    ...invocation.command === "lab" && { strictTransport: false },
  };
  const metrics = await serveMetrics(configuration);
  try {
    const start = { invocation, configuration, listenAddress, metrics };
    return { ...await startOnStore(start, listener), caFile: labTls?.caFile };
  } catch (cause) {
    await metrics?.close();
    throw cause;
  }
}

/** Opens the store, as soon as it is available, and starts the server on it. */
async function startOnStore(
  start: Omit<ServerStart, "store" | "onEvent" | "pagesUrl">,
  { onEvent, warn }: StartListener,
): Promise<RunningServer> {
  const { invocation, configuration } = start;
  const isRealTime = invocation.command === "serve";
  const open = () => openStore(configuration.program.store, { isRealTime });
  const store = await waitForStore(open, warn);
  const metrics = start.metrics?.metrics;
  try {
    return await listen({
      ...start,
      store: metrics?.meter(store) ?? store,
      onEvent: (event, request) => {
        onEvent(event, request);
        metrics?.onEvent(event, request);
      },
    });
  } catch (cause) {
    await store.close();
    throw cause;
  }
}

/** Listens as soon as the server is ready. */
async function listen(settings: Omit<ServerStart, "pagesUrl">): Promise<RunningServer> {
  const lab: { url?: string } = {};
  const start = { ...settings, pagesUrl: () => lab.url };
  const { configuration, listenAddress, metrics } = start;
  const { promise: created, resolve } = createDeferred<InternalServer | Lab>();
  const listening = await listenOn(async (port) => {
    const server = await openServer(start, port);
    resolve(server);
    return server;
  }, listenAddress);
  const server = await created;
  const control = await serveLabControl(start, server);
  metrics?.metrics.observe(() => server.context);
  if (control) lab.url = `${listenAddressOf(configuration, control.port)}/lab`;
  return {
    server,
    address: listenAddressOf(configuration, listening.port),
    hostname: listenAddress.hostname,
    metricsUrl: metrics?.url,
    metricsHost: metrics?.hostname,
    controlUrl: lab.url,
    handsFreeUser: "handsFreeUser" in server ? server.handsFreeUser : undefined,
    async idleWarning() {
      if (!("hooks" in server)) return undefined;
      const { idleWarning } = await import("../../lab/control/idle.ts");
      return idleWarning(server);
    },
    async stop() {
      metrics?.metrics.close();
      // Responses that a lab holds back would keep their connections open.
      if ("release" in server) server.release();
      await finish([listening, control]);
      await server.close();
      // Last, so that probes can see that the server is closing.
      await metrics?.close();
    },
  };
}

/** Finishes the requests in progress, in limited time: the store is closed in any case. */
async function finish(listening: ReadonlyArray<Listening | undefined>): Promise<void> {
  const closed = Promise.all(listening.map((each) => each?.close()));
  const tooLong = () => new Error("Some requests took too long.");
  await withTimeout(stopTimeout, closed, tooLong).catch(() => {});
}

/** Serves the control API of a lab on the separate port that `--lab-port` names. */
async function serveLabControl(
  { invocation, listenAddress }: ServerStart,
  server: InternalServer | Lab,
): Promise<Listening | undefined> {
  const port = valueOf(invocation, "lab-port");
  if (port === undefined || !("control" in server)) return undefined;
  return await listenOn(() => server.control, { ...listenAddress, port: Number(port) });
}
