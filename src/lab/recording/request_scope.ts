import { AsyncLocalStorage } from "node:async_hooks";
import type { ConcernedIds, EventRequest } from "../../config/event_request.ts";
import type { ServerEvent } from "../../config/events.ts";
import type { AppliedRule } from "../../protocol/rule.ts";

/** What the lab knows while the server handles a request. */
export interface RequestScope {
  /** Collects the events that the server emits for this request. */
  events: ServerEvent[];
  /** The rules that the server applies to this request. */
  rules: readonly AppliedRule[];
  /** What the request concerns. */
  concerns: ConcernedIds;
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

/** Notes the rules that were applied to the present request, if there is one. */
export function noteRules({ rules, brokenRule }: NotedRules): void {
  const present = scope.getStore();
  if (!present) return;
  const isListed = brokenRule === undefined || rules.some(({ passed }) => !passed);
  present.rules = isListed ? rules : [...rules, { rule: brokenRule, passed: false }];
}

type NotedRules = Pick<EventRequest, "rules" | "brokenRule">;

/** Notes what the present request concerns, if there is one. */
export function noteConcerned(
  { interaction, pushedRequest, device, authorization, ownToken }: ConcernedIds,
): void {
  const ids = { interaction, pushedRequest, device, authorization, ownToken };
  for (const [kind, id] of Object.entries(ids)) {
    if (id !== undefined) Object.assign(scope.getStore()?.concerns ?? {}, { [kind]: id });
  }
}

/** Returns the page that will show the present request, if there is one. */
export function presentFlowUrl(): string | undefined {
  return scope.getStore()?.findFlowUrl();
}
