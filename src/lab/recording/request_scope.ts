import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerEvent } from "../../config/events.ts";

/** What the lab knows while the server handles a request. */
export interface RequestScope {
  /** Collects the events that the server emits for this request. */
  events: ServerEvent[];
  /** Returns the page that will show the request in its flow, if this port has the lab's pages. */
  findFlowUrl: () => string | undefined;
}

const scope = new AsyncLocalStorage<RequestScope>();

/** Handles a request within its scope. */
export function withinRequest<T>(request: RequestScope, handle: () => T): T {
  return scope.run(request, handle);
}

/** Adds an event to those of the present request, if there is one. */
export function noteEvent(event: ServerEvent): void {
  scope.getStore()?.events.push(event);
}

/** Returns the page that will show the present request, if there is one. */
export function presentFlowUrl(): string | undefined {
  return scope.getStore()?.findFlowUrl();
}
