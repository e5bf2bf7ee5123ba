import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerEvent } from "../../config/events.ts";

/** The events of the request that is being handled. */
const scope = new AsyncLocalStorage<ServerEvent[]>();

/** Handles a request, and collects the events that the server emits meanwhile for this request. */
export function collectEvents<T>(events: ServerEvent[], handle: () => T): T {
  return scope.run(events, handle);
}

/** Adds an event to those of the present request, if there is one. */
export function noteEvent(event: ServerEvent): void {
  scope.getStore()?.push(event);
}
