import type { ConcernedIds } from "../../server/config/event_request.ts";
import type { ServerEvent } from "../../server/config/events.ts";
import type { RequestObserver } from "../../server/issuer/context.ts";
import type { Exchange } from "./exchange.ts";

/** What the lab learns while the server handles a request. */
export interface LearnedFacts extends Pick<Exchange, "events" | "rules" | "concerns"> {
  chosen: string[];
}

/** An observer of one request, and what it has learned. */
export interface RequestScope {
  learned: LearnedFacts;
  observer: RequestObserver;
}

/** Where the request will be shown in its flow. */
export type FlowLinks = Omit<RequestObserver, "onEvent" | "chooseCredential">;

/** Begins to observe a request. */
export function createRequestScope(links: FlowLinks): RequestScope {
  const events: ServerEvent[] = [];
  const learned: LearnedFacts = { events, rules: [], concerns: {}, chosen: [] };
  return {
    learned,
    observer: {
      ...links,
      onEvent(event, { rules, brokenRule, ...request }) {
        const isListed = brokenRule === undefined || rules.some(({ passed }) => !passed);
        learned.rules = isListed ? rules : [...rules, { rule: brokenRule, passed: false }];
        Object.assign(learned.concerns, concernsOf(request));
        // The event of the exchange has more about a handled request.
        if (event.type !== "request.handled") events.push(event);
      },
    },
  };
}

/** Returns the ids that are known. A request that a lab repeats in parts concerns them all. */
function concernsOf(
  { interaction, pushedRequest, device, authorization, ownToken }: ConcernedIds,
): ConcernedIds {
  const ids = { interaction, pushedRequest, device, authorization, ownToken };
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined));
}
