import type { ServerEventListener } from "../../server/config/events.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import type { ConfiguredListeners } from "../recording/lab_event.ts";

/**
 * Adds the tenant to the events for the lab's listeners. Listeners of a tenant know it. The lab has
 * recorded its requests itself, and announces them.
 */
export function listenersOf(
  tenant: string,
  own: ConfiguredListeners,
  around: ConfiguredListeners,
): Pick<LabConfig, "onLabEvent"> & { onEvent: ServerEventListener } {
  return {
    onEvent(event, request) {
      own.onEvent?.(event, request);
      around.onEvent?.(withTenant(event, tenant), request);
    },
    onLabEvent(event) {
      own.onLabEvent?.(event);
      if (event.type !== "exchange.recorded") around.onLabEvent?.(withTenant(event, tenant));
    },
  };
}

function withTenant<Event extends object>(event: Event, tenant: string): Event {
  return { ...event, tenant };
}
