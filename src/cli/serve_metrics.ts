import type { Context } from "../issuer/context.ts";
import type { Store } from "../store/store.ts";
import { isLoopbackHost } from "../util/uri.ts";
import { UsageError } from "./command.ts";
import { bracketed, type Configuration } from "./configuration.ts";
import { listenOn } from "./listen_on.ts";
import { createMetrics, type Metrics } from "./metrics/metrics.ts";

const localhost = "localhost";

/** A port that serves metrics. */
export interface MetricsListening {
  /** The URL of the metrics, at the address that they listen on. */
  url: string;
  hostname: string;
  close(): Promise<void>;
}

/** Checks the settings of the metrics port against the others. */
export function checkMetricsPort({ program }: Configuration): void {
  const { port, metricsPort, metricsHost } = program;
  if (metricsHost !== undefined && metricsPort === undefined) {
    throw new UsageError("--metrics-host needs --metrics-port N.");
  }
  if (metricsPort !== undefined && metricsPort === port && port !== 0) {
    throw new UsageError(`--metrics-port must not be the port of the server, ${port}.`);
  }
}

/** Creates the metrics of a server, if they are to be served. */
export function createServedMetrics(
  { program: { metricsPort, metricsHost = localhost } }: Configuration,
  store: Store,
): Metrics | undefined {
  return metricsPort === undefined ? undefined : createMetrics(store, isLoopbackHost(metricsHost));
}

/** Serves metrics on the port of their own that `--metrics-port` names. */
export async function serveMetrics(
  metrics: Metrics | undefined,
  { program }: Configuration,
  contextOf: () => Context,
): Promise<MetricsListening | undefined> {
  const { metricsPort, metricsHost = localhost } = program;
  if (!metrics || metricsPort === undefined) return undefined;
  metrics.observe(contextOf);
  const address = { hostname: metricsHost, port: metricsPort };
  const { port, close } = await listenOn(() => metrics, address, "--metrics-port");
  return { url: `http://${bracketed(metricsHost)}:${port}/metrics`, hostname: metricsHost, close };
}
