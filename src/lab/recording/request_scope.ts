import type { ConcernedIds, EventRequest } from "../../config/event_request.ts";
import type { ServerEvent } from "../../config/events.ts";
import type { RequestObserver } from "../../issuer/context.ts";
import type { AppliedRule } from "../../protocol/rule.ts";

/** What the lab learns while the server handles a request. */
export interface RequestScope {
  /** The events that the server emitted for this request. */
  events: ServerEvent[];
  /** The rules that the server applied to this request. */
  rules: readonly AppliedRule[];
  /** What the request concerns. */
  concerns: ConcernedIds;
  /** Looks at what the server knows of the request. */
  learn(request: LearnedRequest): void;
  observer: RequestObserver;
}

type LearnedRequest = Pick<EventRequest, "rules" | "brokenRule"> & ConcernedIds;

/** Where the request will be shown in its flow. */
export type FlowLinks = Omit<RequestObserver, "onEvent">;

/** Begins to observe a request. */
export function createRequestScope(links: FlowLinks): RequestScope {
  const scope: RequestScope = {
    events: [],
    rules: [],
    concerns: {},
    learn({ rules, brokenRule, ...request }) {
      const isListed = brokenRule === undefined || rules.some(({ passed }) => !passed);
      scope.rules = isListed ? rules : [...rules, { rule: brokenRule, passed: false }];
      Object.assign(scope.concerns, concernsOf(request));
    },
    observer: {
      ...links,
      onEvent(event, request) {
        scope.learn(request);
        // Of a request, `exchange.recorded` says more.
        if (event.type !== "request.handled") scope.events.push(event);
      },
    },
  };
  return scope;
}

/** Returns the ids that are known. A request that a lab repeats in parts concerns them all. */
function concernsOf(
  { interaction, pushedRequest, device, authorization, ownToken }: ConcernedIds,
): ConcernedIds {
  const ids = { interaction, pushedRequest, device, authorization, ownToken };
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined));
}
