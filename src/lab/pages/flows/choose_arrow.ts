import { sentByClient } from "../../flows/flow_outcome.ts";
import type { FlowArrow, FlowStory } from "../../flows/flow_story.ts";
import { formProblemOf } from "../../flows/form_problem.ts";
import type { Exchange } from "../../recording/exchange.ts";

/** Which arrow the reader chose. */
export interface ArrowChoice {
  step?: number | undefined;
  /** An exchange in place of a step: links from elsewhere know no steps. */
  exchange?: number | undefined;
}

/** Returns the arrow that the reader chose, or else the one that decided the flow. */
export function chooseArrow(
  story: FlowStory,
  exchanges: readonly Exchange[],
  { step, exchange }: ArrowChoice,
): FlowArrow | undefined {
  const { arrows } = story;
  return arrows.find((arrow) => arrow.step === step) ?? arrowOfExchange(story, exchange) ??
    decidingArrow(story, exchanges) ?? arrows.at(-1);
}

/** Returns the arrow that represents an exchange: its refusal, or else its request. */
export function arrowOfExchange(
  { arrows }: FlowStory,
  exchange: number | undefined,
): FlowArrow | undefined {
  const own = arrows.filter((arrow) => arrow.exchange === exchange && !arrow.isInferred);
  return own.find(({ isFailed }) => isFailed) ?? own[0];
}

/**
 * Returns the response with the latest tokens, if the flow ended well; or else the first thing that
 * failed, or the end. A mistyped form fails nothing: its user can send it again. Nor do replays.
 */
function decidingArrow(
  { arrows, outcome }: FlowStory,
  exchanges: readonly Exchange[],
): FlowArrow | undefined {
  const sent = sentByClient(exchanges);
  const ids = new Set(sent.map(({ id }) => id));
  const seen = arrows.filter(({ isInferred, exchange }) => !isInferred && ids.has(exchange));
  if (outcome.kind === "good") {
    const last = sent.findLast(issuesTokens);
    return seen.findLast(({ exchange }) => exchange === last?.id);
  }
  const mistyped = sent.filter((exchange) => formProblemOf(exchange)).map(({ id }) => id);
  const failed = seen.filter(({ isFailed, exchange }) => isFailed && !mistyped.includes(exchange));
  return failed[0] ?? seen.at(-1);
}

function issuesTokens({ events }: Exchange): boolean {
  return events.some(({ type }) => type === "token.issued");
}
