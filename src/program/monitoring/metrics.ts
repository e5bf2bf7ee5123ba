import type { LabEvent } from "../../lab/recording/lab_event.ts";
import type { ServedApplication } from "../../runtime/serve.ts";
import type { EventRequest, ServerEvent } from "../../server/config/events.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { Store } from "../../server/store/store.ts";
import { createEventMetrics } from "./event_metrics.ts";
import { meterStore } from "./metered_store.ts";
import { createMetricsServer } from "./metrics_server.ts";
import { createReadiness } from "./readiness.ts";
import { createMetricRegistry } from "./registry.ts";
import { createStateMetrics } from "./state_metrics.ts";

/** The metrics of a server, and what says whether it is ready. */
export interface Metrics extends ServedApplication {
  /** Listens to the events of the server. */
  onEvent(event: ServerEvent | LabEvent, request?: EventRequest): void;
  /** Counts the calls of a store. */
  meter(store: Store): Store;
  /** Names the server, once it is ready. */
  observe(contextOf: () => Context): void;
  /** From now on the server is not ready. */
  close(): void;
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
  const { fetch } = createMetricsServer({
    readiness,
    isLocal,
    issuer: () => settings()?.issuer ?? "",
    async formatMetrics() {
      if (contextOf) await readState(contextOf());
      return registry.format();
    },
  });
  return {
    fetch,
    onEvent,
    meter: (store) => meterStore(store, registry),
    observe: (current) => void (contextOf = current),
    close: readiness.close,
  };
}
