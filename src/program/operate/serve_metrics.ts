import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { bracketed, type Configuration } from "../configuration/configuration.ts";
import { createMetrics, type Metrics } from "../monitoring/metrics.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { listenOn } from "./listen_on.ts";

const localhost = "localhost";

/** A port that serves metrics. */
export interface MetricsListening {
  metrics: Metrics;
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

/**
 * Serves metrics on the separate port that `--metrics-port` names. It opens before the server is
 * ready, so that probes see it start.
 */
export async function serveMetrics(
  { program }: Configuration,
): Promise<MetricsListening | undefined> {
  const { metricsPort, metricsHost = localhost } = program;
  if (metricsPort === undefined) return undefined;
  const metrics = createMetrics(isLoopbackHost(metricsHost));
  const address = { hostname: metricsHost, port: metricsPort };
  const { port, close } = await listenOn(() => metrics, address, "--metrics-port");
  const url = `http://${bracketed(metricsHost)}:${port}/metrics`;
  return { metrics, url, hostname: metricsHost, close };
}
