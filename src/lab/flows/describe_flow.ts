import type { Exchange } from "../recording/exchange.ts";
import { nameOfClient } from "../recording/tenant_client.ts";
import type { FlowTrace } from "../recording/timeline.ts";
import { exchangeArrows } from "./exchange_arrows.ts";
import { flowOutcome, flowUser } from "./flow_outcome.ts";
import {
  type FlowArrow,
  type FlowStory,
  type Participant,
  participantNames,
} from "./flow_story.ts";

/** Tells a flow as messages between its participants. */
export function describeFlow(
  { id, client, tenant }: Pick<FlowTrace, "id" | "client" | "tenant">,
  exchanges: readonly Exchange[],
  issuer: string,
): FlowStory {
  const arrows = exchanges.flatMap((exchange, at) => {
    const earlier = exchanges.slice(0, at);
    const pause = exchange.at - (earlier.at(-1)?.at ?? exchange.at);
    const isLast = at === exchanges.length - 1;
    return exchangeArrows({ exchange, earlier, isLast, client, issuer })
      .map((arrow, place) => ({ ...arrow, pause: place === 0 ? pause : 0 }));
  }).map((arrow, at): FlowArrow => ({ ...arrow, step: at + 1 }));
  const present = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  return {
    id,
    client: nameOfClient({ client, tenant }),
    user: flowUser(exchanges),
    startedAt: exchanges[0]?.at ?? 0,
    outcome: flowOutcome(exchanges),
    participants: (Object.keys(participantNames) as Participant[])
      .filter((each) => present.has(each)),
    arrows,
  };
}

/** Returns the exchanges of a flow that are not forgotten, the oldest first. */
export function exchangesOfFlow(
  { steps }: FlowTrace,
  exchanges: readonly Exchange[],
): Exchange[] {
  const ids = new Set(steps.map(({ exchange }) => exchange));
  return exchanges.filter(({ id }) => ids.has(id));
}

/** Returns the exchanges that belong to no flow, the oldest first. */
export function exchangesWithoutFlow(
  flows: readonly FlowTrace[],
  exchanges: readonly Exchange[],
): Exchange[] {
  const ids = new Set(flows.flatMap(({ steps }) => steps.map(({ exchange }) => exchange)));
  return exchanges.filter(({ id }) => !ids.has(id));
}
