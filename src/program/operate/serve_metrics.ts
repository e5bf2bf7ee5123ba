import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { createMetrics, type Metrics } from "../monitoring/metrics.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { listenOn } from "./listen_on.ts";
import type { Site } from "./site.ts";

/** A port that serves metrics. */
export interface MetricsListening {
  metrics: Metrics;
  port: number;
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

/**
 * Serves metrics on the separate port that `--metrics-port` names. It opens before the server is
 * ready, so that probes see it start.
 */
export async function serveMetrics(
  { metrics: place }: Site,
): Promise<MetricsListening | undefined> {
  if (place === undefined) return undefined;
  const { host: hostname, port: wanted } = place;
  const metrics = createMetrics(isLoopbackHost(hostname));
  const address = { hostname, port: wanted };
  const { port, close } = await listenOn(() => metrics, address, "--metrics-port");
  return { metrics, port, close };
}
