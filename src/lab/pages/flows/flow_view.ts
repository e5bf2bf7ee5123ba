import { checkFactsOf } from "../../flows/checks/check_facts.ts";
import { checksOf } from "../../flows/checks/checks.ts";
import type { FlowCheck } from "../../flows/checks/flow_check.ts";
import { statesOf } from "../../flows/credential_state.ts";
import { type ExchangeDetails, exchangeDetails } from "../../flows/exchange_details.ts";
import type { FlowSource } from "../../flows/flow_source.ts";
import type { FlowArrow, FlowStory } from "../../flows/flow_story.ts";
import { readLedger } from "../../flows/ledger.ts";
import { type LineageNode, lineageOf } from "../../flows/lineage.ts";
import { type PkceProof, pkceProofOf } from "../../flows/pkce_proof.ts";
import { tellFlow } from "../../flows/tell_flow.ts";
import type { Lab } from "../../lab.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { type Refusal, refusalOf } from "../../recording/refusal.ts";
import { type FoundToken, tokensIn } from "./tokens_in.ts";

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
  const story = tellFlow(source, exchanges, lab.issuer);
  const ledger = readLedger(exchanges, lab.issuer);
  const states = await statesOf({ ctx: lab.context, ledger, exchanges: lab.exchanges() });
  const arrow = chooseArrow(story, options);
  return {
    story,
    lineage: lineageOf(ledger, states),
    chosen: arrow && await chosenStep(lab, source, arrow, options.withSecrets),
    withSecrets: options.withSecrets,
  };
}

/** Without a choice, the first thing that failed is shown, or else the end of the flow. */
function chooseArrow(
  { arrows }: FlowStory,
  { step, exchange }: FlowViewOptions,
): FlowArrow | undefined {
  const named = arrows.find((arrow) => arrow.step === step);
  if (named) return named;
  const candidates = arrows.filter((arrow) =>
    exchange === undefined || arrow.exchange === exchange
  );
  const seen = candidates.filter(({ isInferred }) => !isInferred);
  return seen.find(({ isFailed }) => isFailed) ?? seen.at(-1) ?? arrows.at(-1);
}

async function chosenStep(
  lab: Lab,
  { exchanges }: FlowSource,
  arrow: FlowArrow,
  withSecrets: boolean,
): Promise<ChosenStep | undefined> {
  const exchange = exchanges.find(({ id }) => id === arrow.exchange);
  if (!exchange) return undefined;
  const facts = await checkFactsOf(lab.context, exchange, exchanges);
  return {
    arrow,
    exchange,
    details: exchangeDetails(exchange, lab.issuer, withSecrets),
    refusal: refusalOf(exchange),
    checks: await checksOf(facts),
    proof: await pkceProofOf(exchange, exchanges),
    tokens: await tokensIn(lab.context, exchange),
  };
}
