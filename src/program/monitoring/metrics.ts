import type { LabEvent } from "../../lab/recording/lab_event.ts";
import type { ServedApplication } from "../../runtime/serve.ts";
import type { EventRequest, ServerEvent } from "../../server/config/events.ts";
import { type Application, createApplication } from "../../server/http/application.ts";
import { jsonResponse } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import { requestPath } from "../../server/http/router.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { Store } from "../../server/store/store.ts";
import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import type { Environment } from "../terminal/terminal.ts";
import { createEventMetrics } from "./event_metrics.ts";
import { createReadiness, type Readiness } from "./readiness.ts";
import { createMetricRegistry, type MeasuredMetric, metricsType } from "./registry.ts";
import { createStateMetrics, meterStore } from "./store_metrics.ts";

/** What monitors a server from its start to its end. */
export interface Monitor {
  onEvent(event: ServerEvent | LabEvent, request?: EventRequest): void;
  /** Counts the calls of a store. */
  meter(store: Store): Store;
  /** Names the server, once it is ready. */
  observe(contextOf: () => Context): void;
  /** From now on the server is not ready. */
  close(): void;
  /** Ends after the server, and resolves in limited time. */
  end?(): Promise<void>;
}

/** Opens a monitor, if the environment asks for it. */
export type OpenMonitor = (
  environment: Environment,
  warn: (message: string) => void,
) => Monitor | undefined;

/** The metrics of a server, and what says whether it is ready. */
export interface Metrics extends ServedApplication, Monitor {
  read(): Promise<MeasuredMetric[]>;
}

interface MetricsServer {
  /** Returns the metrics as text. */
  formatMetrics(): Promise<string>;
  readiness: Readiness;
  issuer(): string;
  /** Whether only this machine should reach the port. */
  isLocal: boolean;
}

/** Creates the metrics of a server that is about to start. */
export function createMetrics(isLocal: boolean): Metrics {
  let contextOf: (() => Context) | undefined;
  const settings = () => contextOf?.().settings;
  const registry = createMetricRegistry();
  const readState = createStateMetrics(registry);
  const tokenPath = () => `${settings()?.base}${settings()?.paths.token}`;
  const onEvent = createEventMetrics(registry, tokenPath);
  const readiness = createReadiness(() => contextOf?.());
  const measureState = async () => {
    if (contextOf) await readState(contextOf());
  };
  const { fetch } = createMetricsServer({
    readiness,
    isLocal,
    issuer: () => settings()?.issuer ?? "",
    async formatMetrics() {
      await measureState();
      return registry.format();
    },
  });
  return {
    fetch,
    async read() {
      await measureState();
      return registry.read();
    },
    onEvent,
    meter: (store) => meterStore(store, registry),
    observe: (current) => void (contextOf = current),
    close: readiness.close,
  };
}

/**
 * Creates the application of the metrics port: `/metrics`, `/ready`, and `/health`, because probes
 * wait here behind no flood of connections to the other port.
 */
export function createMetricsServer(server: MetricsServer): Application {
  return createApplication(async (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") return plainText(405, "GET only.");
    const { url } = request;
    // Against DNS rebinding: a page in a browser here could use a name that leads to loopback.
    if (server.isLocal && !(URL.canParse(url) && isLoopbackHost(new URL(url).hostname))) {
      return plainText(403, "This port is for requests to localhost.");
    }
    const path = requestPath(request);
    if (path === "/metrics") {
      const headers = [["Content-Type", metricsType], ["Cache-Control", "no-store"]] as const;
      return { status: 200, headers, body: await server.formatMetrics() };
    }
    if (path === "/ready") return await readyResponse(server);
    if (path === "/health") return jsonResponse({ status: "ok" });
    return plainText(404, "Here are /metrics, /ready and /health.");
  });
}

async function readyResponse({ readiness, issuer }: MetricsServer): Promise<ResponseData> {
  const verdict = await readiness.check();
  if (verdict.ready) {
    return jsonResponse({ status: "ready", issuer: issuer(), warning: verdict.warning });
  }
  const { reason } = verdict;
  return jsonResponse({ status: "not ready", issuer: issuer(), reason }, 503);
}

function plainText(status: number, text: string): ResponseData {
  return { status, headers: [["Content-Type", "text/plain"]], body: `${text}\n` };
}
