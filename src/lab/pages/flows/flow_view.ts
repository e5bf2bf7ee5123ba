import type { Lab } from "../../control/lab.ts";
import { checkFactsOf } from "../../flows/checks/check_facts.ts";
import { checksOf } from "../../flows/checks/checks.ts";
import type { FlowCheck } from "../../flows/checks/flow_check.ts";
import { statesOf } from "../../flows/credential_state.ts";
import { describeFlow } from "../../flows/describe_flow.ts";
import { type ExchangeDetails, exchangeDetails } from "../../flows/exchange_details.ts";
import type { FlowSource } from "../../flows/flow_source.ts";
import type { FlowArrow, FlowStory } from "../../flows/flow_story.ts";
import { readLedger } from "../../flows/ledger.ts";
import { type LineageNode, lineageOf } from "../../flows/lineage.ts";
import { type PkceProof, pkceProofOf } from "../../flows/pkce_proof.ts";
import { stateSourcesOf } from "../../flows/state_sources.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { type Refusal, refusalOf } from "../../recording/refusal.ts";
import { type FoundToken, tokensIn, withoutSecrets } from "./tokens_in.ts";

/** Everything that the page of a flow shows. */
export interface FlowView {
  story: FlowStory;
  lineage: readonly LineageNode[];
  /** The arrow whose details are shown. A flow whose requests were deleted has none. */
  chosen: ChosenStep | undefined;
  withSecrets: boolean;
}

/** The chosen arrow, with everything about its exchange. */
export interface ChosenStep {
  arrow: FlowArrow;
  exchange: Exchange;
  details: ExchangeDetails;
  refusal: Refusal | undefined;
  checks: readonly FlowCheck[];
  proof: PkceProof | undefined;
  /** The JWTs of the exchange, decoded. */
  tokens: readonly FoundToken[];
}

/** Which arrow the reader chose, and how it is shown. */
export interface FlowViewOptions {
  step?: number | undefined;
  /** An exchange in place of a step: links from elsewhere know no steps. */
  exchange?: number | undefined;
  withSecrets: boolean;
}

/** Gathers what the page of a flow shows. */
export async function flowViewOf(
  lab: Lab,
  source: FlowSource,
  options: FlowViewOptions,
): Promise<FlowView> {
  const { exchanges } = source;
  const story = describeFlow(source, exchanges, lab.issuer);
  const ledger = readLedger(exchanges, lab.issuer);
  const states = await statesOf(stateSourcesOf(lab, ledger));
  const arrow = chooseArrow(story, options);
  return {
    story,
    lineage: lineageOf(ledger, states),
    chosen: arrow &&
      await stepViewOf(lab, source, story, { arrow, withSecrets: options.withSecrets }),
    withSecrets: options.withSecrets,
  };
}

/** Names an exchange as the diagram beside it does; one of another flow has no step there. */
export function nameOfExchange(story: FlowStory, exchange: number): string {
  const arrow = arrowOfExchange(story, exchange);
  return arrow ? `step ${arrow.step}` : `request ${exchange}`;
}

/** Without a choice, the first thing that failed is shown, or else the end of the flow. */
function chooseArrow(story: FlowStory, { step, exchange }: FlowViewOptions): FlowArrow | undefined {
  const { arrows } = story;
  const named = arrows.find((arrow) => arrow.step === step);
  if (named) return named;
  const seen = arrows.filter(({ isInferred }) => !isInferred);
  return arrowOfExchange(story, exchange) ?? seen.find(({ isFailed }) => isFailed) ??
    seen.at(-1) ?? arrows.at(-1);
}

/** Returns the arrow that stands for an exchange: its refusal, or else its request. */
export function arrowOfExchange(
  { arrows }: FlowStory,
  exchange: number | undefined,
): FlowArrow | undefined {
  const own = arrows.filter((arrow) => arrow.exchange === exchange && !arrow.isInferred);
  return own.find(({ isFailed }) => isFailed) ?? own[0];
}

/** Gathers what is shown about the exchange of an arrow. */
export async function stepViewOf(
  lab: Lab,
  { exchanges }: FlowSource,
  story: FlowStory,
  { arrow, withSecrets }: { arrow: FlowArrow; withSecrets: boolean },
): Promise<ChosenStep | undefined> {
  const exchange = exchanges.find(({ id }) => id === arrow.exchange);
  if (!exchange) return undefined;
  const nameExchange = (id: number) => nameOfExchange(story, id);
  const tokens = await tokensIn(lab.handlerOf(exchange).context, exchange);
  const facts = checkFactsOf(lab.issuer, exchange, exchanges, nameExchange);
  return {
    arrow,
    exchange,
    details: exchangeDetails(exchange, lab.issuer, withSecrets),
    refusal: refusalOf(exchange),
    checks: checksOf(facts),
    proof: await pkceProofOf(exchange, exchanges),
    tokens: withSecrets ? tokens : tokens.map(withoutSecrets),
  };
}
