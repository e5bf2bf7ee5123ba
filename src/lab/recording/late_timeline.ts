import type { Exchange } from "./exchange.ts";
import { createTimeline, type Timeline } from "./timeline.ts";

/** Grouped at once, more than these would stall the request that is in progress. */
const maxWaiting = 200;

/** A timeline that can group exchanges later, when someone looks at their flows. */
export interface LateTimeline extends Timeline {
  /** Adds an exchange to its flow before anyone looks at one. */
  observeLater(exchange: Exchange): void;
  /** Groups what waits. An exchange that is forgotten must not stay in memory. */
  catchUp(): Timeline;
}

/**
 * Creates a timeline that groups exchanges into flows when someone reads one: most tests never do.
 * Exchanges are grouped in the order in which they came, so their flows are the same in the end.
 */
export function createLateTimeline(issuer: string): LateTimeline {
  const timeline = createTimeline(issuer);
  let waiting: Exchange[] = [];

  function catchUp(): Timeline {
    const due = waiting;
    waiting = [];
    for (const exchange of due) timeline.observe(exchange);
    return timeline;
  }

  return {
    find: (...request) => catchUp().find(...request),
    observe: (exchange) => catchUp().observe(exchange),
    observeLater({ concerns, faults, ...exchange }) {
      // The server may note more after its response, which decides on no flow.
      waiting.push({ ...exchange, concerns: { ...concerns }, faults: [...faults] });
      if (waiting.length >= maxWaiting) catchUp();
    },
    catchUp,
    list: () => catchUp().list(),
    clear(tenant) {
      // What waits is forgotten, too, and need not be grouped first.
      if (tenant === undefined) waiting = [];
      catchUp().clear(tenant);
    },
  };
}
