import type { EventRequest, ServerEvent, ServerEventListener } from "../../server/config/events.ts";
import { redactRefusal, type Refusal } from "./refusal.ts";

/** What happens in a lab but in no other server; reported among the events of its server. */
export type LabEvent =
  | { type: "fault.fired" } & FiredFault
  | { type: "clock.moved"; now: string; frozen: boolean }
  | DrillEvent
  | { type: "exchange.recorded" } & RecordedExchange;

/** A drill has tried one variant more, or has ended. */
export type DrillEvent = { type: "drill.advanced"; state: string; done: number; total: number };

/** A request that was recorded with its response. */
export interface RecordedExchange {
  /** The number of the exchange: that of `lab.requests()`. */
  exchange: number;
  /** The tenant of the lab that handled it. */
  tenant?: string | undefined;
  /** The id of the flow that it belongs to: `"flow-1"`. */
  flow?: string | undefined;
  /** The HTTP method. */
  method: string;
  /** The path below the issuer. */
  path: string;
  /** The client that the request names. */
  client?: string | undefined;
  /** The status of the response; none if the connection was closed before it was complete. */
  status?: number | undefined;
  /** The error code of the response. */
  error?: string | undefined;
  /** Why the server refused the request. */
  refusal?: Refusal | undefined;
}

/**
 * The request to which a fault responded, or whose response it changed; or the request with which
 * the lab sent a logout token that a fault changed.
 */
export interface FiredFault extends Pick<RecordedExchange, "method" | "path" | "client"> {
  /** The name of the fault. */
  fault: string;
  /** The status with which an application responded to a logout token, if it responded. */
  status?: number | undefined;
}

/** Listens to everything that happens in a lab. */
export type LabListener = (event: ServerEvent | LabEvent) => void;

/**
 * Reports the events of a lab and of its server to the listeners in the configuration, and to
 * subscribers.
 */
export type LabEvents = ReturnType<typeof createLabEvents>;

export interface ConfiguredListeners {
  onEvent?: ServerEventListener | undefined;
  onLabEvent?: ((event: LabEvent) => void) | undefined;
}

export function createLabEvents({ onEvent, onLabEvent }: ConfiguredListeners) {
  const subscribers = new Set<LabListener>();
  const publish: LabListener = (event) => {
    for (const subscriber of subscribers) subscriber(event);
  };
  return {
    emitServerEvent(emitted: ServerEvent, request?: EventRequest): void {
      const event = emitted.type === "request.refused" ? redactRefusal(emitted) : emitted;
      onEvent?.(event, request);
      // Of a request, `exchange.recorded` says more.
      if (event.type !== "request.handled") publish(event);
    },
    emitLabEvent(event: LabEvent): void {
      onLabEvent?.(event);
      publish(event);
    },
    /** Whether anyone listens to events of the lab. */
    isHeard: () => onLabEvent !== undefined || subscribers.size > 0,
    /** Calls a listener for every event from now on; returns a function that ends this. */
    subscribe(listener: LabListener): () => void {
      subscribers.add(listener);
      return () => void subscribers.delete(listener);
    },
  };
}
