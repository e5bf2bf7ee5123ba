import type { ConcernedIds, ServerEvent } from "../../server/config/events.ts";
import type { RequestObserver } from "../../server/issuer/context.ts";
import type { ReportedFacts } from "./exchange.ts";

/** What a request can concern. One that a lab repeats in parts concerns all that each part does. */
const concernKinds = [
  "interaction",
  "pushedRequest",
  "device",
  "backchannelRequest",
  "authorization",
  "ownToken",
] as const satisfies ReadonlyArray<keyof ConcernedIds>;

/** What the lab learns while the server handles a request. */
export interface LearnedFacts extends ReportedFacts {
  chosen: string[];
}

/** What else the lab passes to the server: who sent the request, and where its flow is shown. */
export type PassedHooks = Omit<RequestObserver, "onEvent" | "chooseCredential">;

export function createRequestScope(
  hooks: PassedHooks,
): { learned: LearnedFacts; observer: RequestObserver } {
  const events: ServerEvent[] = [];
  const learned: LearnedFacts = { events, rules: [], concerns: {}, chosen: [] };
  return {
    learned,
    observer: {
      ...hooks,
      onEvent(event, request) {
        const { rules, brokenRule } = request;
        const isListed = brokenRule === undefined || rules.some(({ passed }) => !passed);
        learned.rules = isListed ? rules : [...rules, { rule: brokenRule, passed: false }];
        for (const kind of concernKinds) {
          if (request[kind] !== undefined) learned.concerns[kind] = request[kind];
        }
        // The event of the exchange has more about a handled request.
        if (event.type !== "request.handled") events.push(event);
      },
    },
  };
}
