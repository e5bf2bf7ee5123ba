import type { LabEvent } from "../../lab/recording/lab_event.ts";
import type { Listening, ServedApplication } from "../../runtime/serve.ts";
import type { EventRequest, ServerEvent, ServerEventListener } from "../../server/config/events.ts";
import type { Config } from "../../server/features.ts";
import type { InternalServer } from "../../server/server.ts";
import type { SqliteListener } from "../../server/store/sqlite.ts";
import type { Store } from "../../server/store/store.ts";
import { second } from "../../server/util/time/duration.ts";
import { createDeferred, type Deferred, withTimeout } from "../../server/util/time/promises.ts";
import { type Configuration, listenAddressOf } from "../configuration/configuration.ts";
import { withMtlsPort } from "../configuration/mtls_settings.ts";
import { readMtlsTls } from "../configuration/program_config.ts";
import type { Monitor } from "../monitoring/metrics.ts";
import { workWhenIdle } from "./idle_work.ts";
import { type ListenAddress, listenOn, type MetricsListening, serveMetrics } from "./listen_on.ts";
import { openStore, waitForStore } from "./open_store.ts";
import { listeningSite, type Site } from "./site.ts";

export type ProgramListener = (event: ServerEvent | LabEvent, request?: EventRequest) => void;

export interface ServerOpening<S extends InternalServer> {
  configuration: Configuration;
  /** Opens the server, and resolves when it is ready. */
  open(config: Config, onEvent: ProgramListener): Promise<S>;
}

/** What the program starts, and how: a server for real use, or a lab. */
export interface ServerStart<S extends InternalServer> extends ServerOpening<S> {
  site: Site;
  /** How it listens, besides its host and port. */
  listenOptions: Omit<ListenAddress, "hostname" | "port">;
  /** Whether it uses the real clock. A lab has one to set. */
  isRealTime: boolean;
  /** Opens the port that the server has besides its own, if it has one. */
  openBeside?(server: S): Promise<Listening | undefined>;
  /** Opens what monitors the server, besides the port for metrics. */
  openMonitors?(warn: (message: string) => void): Monitor[];
  /** Ends what would keep connections open when the server stops. */
  release?(server: S): void;
}

/** A server, and where it listens. */
export interface ServerAtSite<S extends InternalServer = InternalServer> {
  server: S;
  site: Site;
}

export interface RunningServer<S extends InternalServer = InternalServer> extends ServerAtSite<S> {
  /**
   * Replaces the server by one with another configuration, on the same ports and the same store.
   * Requests in progress end on the earlier one. If the other cannot be opened, nothing changes.
   */
  replace(next: ServerOpening<S>): Promise<void>;
  /** Lets requests in progress finish, then closes the store. */
  stop(): Promise<void>;
}

/** What monitors a server, and the port of its metrics. */
interface Monitoring {
  metrics: MetricsListening | undefined;
  monitors: readonly Monitor[];
}

/** How long requests in progress may take when the server stops, in milliseconds. */
const stopTimeout = 8 * second * 1000;

/** Listens to a starting server, and to its store. */
export interface StartListener extends SqliteListener {
  onEvent: ProgramListener;
  /** Receives warnings while the server waits. */
  warn(message: string): void;
}

/**
 * Starts a server. The port of the metrics opens first, and that of the server when it is ready.
 */
export async function startServer<S extends InternalServer>(
  start: ServerStart<S>,
  listener: StartListener,
): Promise<RunningServer<S>> {
  const metrics = await serveMetrics(start.site);
  const others = start.openMonitors?.(listener.warn) ?? [];
  const monitors = metrics ? [metrics.metrics, ...others] : others;
  try {
    return await startOnStore(start, listener, { metrics, monitors });
  } catch (cause) {
    await endMonitors({ metrics, monitors });
    throw cause;
  }
}

/** Opens the store, as soon as it is available, and starts the server on it. */
async function startOnStore<S extends InternalServer>(
  start: ServerStart<S>,
  { onEvent, warn, ...listener }: StartListener,
  monitoring: Monitoring,
): Promise<RunningServer<S>> {
  const { isRealTime, configuration } = start;
  const open = () => openStore(configuration.program.store, { isRealTime, listener });
  const store = await waitForStore(open, warn);
  const { monitors } = monitoring;
  try {
    return await listen(start, monitoring, {
      store: monitors.reduce((metered, monitor) => monitor.meter(metered), store),
      onEvent: (event, request) => {
        onEvent(event, request);
        for (const monitor of monitors) monitor.onEvent(event, request);
      },
    });
  } catch (cause) {
    await store.close();
    throw cause;
  }
}

/** Listens as soon as the server is ready. */
async function listen<S extends InternalServer>(
  start: ServerStart<S>,
  monitoring: Monitoring,
  { store, onEvent }: { store: Store; onEvent: ProgramListener },
): Promise<RunningServer<S>> {
  const { configuration, site, listenOptions } = start;
  const mtlsTls = await readMtlsTls(configuration.program, listenOptions);
  const opened = (from: ServerOpening<S>, port: number, mtlsPort: number | undefined) => {
    const issuer = listenAddressOf(site, port);
    const server = withMtlsPort(from.configuration.server, mtlsPort);
    return from.open({ issuer, ...server, store }, onEvent);
  };
  const mainPort = createDeferred<number>();
  const mtlsPort = createDeferred<number | undefined>();
  // The server is made once both numbers are known, and names them: either port may be a free one.
  const created = Promise.all([mainPort.promise, mtlsPort.promise]).then(async (ports) =>
    new PresentServer(await opened(start, ...ports))
  );
  created.catch(() => {});
  const listenAt = (
    port: Pick<Deferred<number>, "resolve" | "reject">,
    address: ListenAddress,
    option?: string,
  ) => {
    const listening = listenOn(
      (number) => {
        port.resolve(number);
        return created;
      },
      address,
      option,
    );
    listening.catch(port.reject);
    return listening;
  };
  if (!mtlsTls) mtlsPort.resolve(undefined);
  const opening = [
    listenAt(mainPort, { ...listenOptions, hostname: site.host, port: site.port }),
    mtlsTls && site.mtls
      ? listenAt(
        mtlsPort,
        { ...listenOptions, ...mtlsTls, hostname: site.mtls.host, requestCert: true },
        "--mtls-port",
      )
      : undefined,
  ] as const;
  const [listening, forCertificates] = await Promise.all(opening).catch(async (cause) => {
    await closeOpened(opening);
    throw cause;
  });
  const present = await created;
  const beside = await start.openBeside?.(present.server);
  const { metrics, monitors } = monitoring;
  for (const monitor of monitors) monitor.observe(() => present.server.context);
  // The clock of a lab is set, and its work is due when a request finds it so.
  const endWork = start.isRealTime ? workWhenIdle(() => present.server.context) : undefined;
  let earlierWork = Promise.resolve();
  return {
    get server() {
      return present.server;
    },
    site: listeningSite(site, present.server.context.settings, {
      port: listening.port,
      metrics: site.metrics && { ...site.metrics, port: metrics?.port ?? site.metrics.port },
      mtls: site.mtls && { ...site.mtls, port: forCertificates?.port ?? site.mtls.port },
    }),
    async replace(next) {
      const { background } = present.server.context;
      present.server = await opened(next, listening.port, forCertificates?.port);
      earlierWork = earlierWork.then(() => background.idle());
    },
    async stop() {
      for (const monitor of monitors) monitor.close();
      endWork?.();
      start.release?.(present.server);
      await finish([listening, beside, forCertificates]);
      await earlierWork;
      await present.server.close();
      // Last, so that probes can see that the server is closing.
      await endMonitors(monitoring);
    },
  };
}

/** Closes the ports that could be opened. */
async function closeOpened(opening: Iterable<Promise<Listening> | undefined>): Promise<void> {
  const settled = await Promise.allSettled(opening);
  await finish(settled.map((each) => each.status === "fulfilled" ? each.value : undefined));
}

async function endMonitors({ metrics, monitors }: Monitoring): Promise<void> {
  await Promise.all([metrics?.close(), ...monitors.map((monitor) => monitor.end?.())]);
}

class PresentServer<S extends InternalServer> implements ServedApplication {
  server: S;

  constructor(server: S) {
    this.server = server;
  }

  get fetch(): S["fetch"] {
    return this.server.fetch;
  }
}

/** Lets the program listen to a server, besides the listener of its configuration. */
export function withListener(config: Config, onEvent: ServerEventListener): Config {
  return {
    ...config,
    onEvent: (event, request) => {
      onEvent(event, request);
      config.onEvent?.(event, request);
    },
  };
}

/** Finishes the requests in progress, in limited time: the store is closed in any case. */
async function finish(listening: ReadonlyArray<Listening | undefined>): Promise<void> {
  const closed = Promise.all(listening.map((each) => each?.close()));
  const tooLong = () => new Error("Some requests took too long.");
  await withTimeout(stopTimeout, closed, tooLong).catch(() => {});
}
