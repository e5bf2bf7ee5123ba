import { isPortTaken } from "../../runtime/listen.ts";
import {
  type Listening,
  serve,
  type ServedApplication,
  type ServeOptions,
} from "../../runtime/serve.ts";
import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { messagesOf } from "../../server/util/text/error_message.ts";
import type { Configuration } from "../configuration/configuration.ts";
import type { Metrics } from "../monitoring/metrics.ts";
import { UsageError } from "../terminal/exit_code.ts";
import type { Site } from "./site.ts";

export interface ListenAddress extends ServeOptions {
  hostname: string;
  port: number;
  /** What to do if the port cannot be opened, in place of the usual advice. */
  advice?: (port: number, isTaken: boolean) => string;
}

/** A port that serves metrics. */
export interface MetricsListening {
  metrics: Metrics;
  port: number;
  close(): Promise<void>;
}

/** Listens on a port. If it is taken, the error names the option that chooses another one. */
export async function listenOn(
  application: (port: number) => ServedApplication | Promise<ServedApplication>,
  options: ListenAddress,
  option = "--port",
): Promise<Listening> {
  try {
    return await serve(application, options);
  } catch (cause) {
    if (isPortTaken(cause)) {
      const usual = `choose another with ${option} N, or a free one with ${option} 0`;
      const advice = options.advice?.(options.port, true) ?? usual;
      throw new Error(`port ${options.port} is already in use; ${advice}`);
    }
    const explanation = explainListening(cause, options, option);
    throw explanation === undefined ? cause : new Error(explanation);
  }
}

/** Returns why a program cannot listen at an address, by the code or the words of each runtime. */
export function explainListening(
  cause: unknown,
  { hostname, port, advice }: ListenAddress,
  option = "--port",
): string | undefined {
  const words = messagesOf(cause);
  if (/EACCES|permission denied/i.test(words)) {
    const usual = `choose one from 1024 on with ${option} N, and let a proxy listen on that port`;
    return `this user may not listen on port ${port}; ${advice?.(port, false) ?? usual}`;
  }
  const isForeignHost =
    /EADDRNOTAVAIL|EAI_AGAIN|EAI_NONAME|ENOTFOUND|address not available|assign requested address|lookup address/i;
  if (isForeignHost.test(words)) {
    return `${hostname} is not an address of this machine; choose another with ` +
      option.replace("port", "host");
  }
  return undefined;
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
  const { createMetrics } = await import("../monitoring/metrics.ts");
  const metrics = createMetrics(isLoopbackHost(hostname));
  const address = { hostname, port: wanted };
  const { port, close } = await listenOn(() => metrics, address, "--metrics-port");
  return { metrics, port, close };
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
