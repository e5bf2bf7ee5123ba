import type { CoreLab } from "../../core/core_lab.ts";
import { checkFactsOf } from "../../flows/checks/check_facts.ts";
import { checksOf } from "../../flows/checks/checks.ts";
import type { FlowCheck } from "../../flows/checks/flow_check.ts";
import { statesOf } from "../../flows/credential_state.ts";
import { type ExchangeDetails, exchangeDetails } from "../../flows/exchange_details.ts";
import { readFlowCredentials } from "../../flows/flow_credentials.ts";
import type { FlowSource } from "../../flows/flow_source.ts";
import type { FlowArrow, FlowStory } from "../../flows/flow_story.ts";
import { formProblemOf } from "../../flows/form_problem.ts";
import { type LineageNode, lineageOf } from "../../flows/lineage.ts";
import { type PkceProof, pkceProofOf } from "../../flows/pkce_proof.ts";
import { stateSourcesOf } from "../../flows/state_sources.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { type Refusal, refusalOf } from "../../recording/refusal.ts";
import { arrowOfExchange } from "./choose_arrow.ts";
import { type FoundToken, tokensIn, withoutSecrets } from "./tokens_in.ts";

/** The chosen arrow, with everything about its exchange. */
export interface ChosenStep {
  arrow: FlowArrow;
  exchange: Exchange;
  details: ExchangeDetails;
  refusal: Refusal | undefined;
  /** Why the user has to send the form again. */
  formProblem: string | undefined;
  checks: readonly FlowCheck[];
  proof: PkceProof | undefined;
  /** The JWTs of the exchange, decoded. */
  tokens: readonly FoundToken[];
}

/** Returns what was issued in some exchanges, and what became of it. */
export async function lineageIn(
  lab: CoreLab,
  exchanges: readonly Exchange[],
): Promise<LineageNode[]> {
  const credentials = readFlowCredentials(exchanges, lab.issuer);
  return lineageOf(credentials, await statesOf(stateSourcesOf(lab, credentials)));
}

/** Names an exchange as the diagram beside it does; one of another flow has no step there. */
export function nameOfExchange(story: FlowStory, exchange: number): string {
  const arrow = arrowOfExchange(story, exchange);
  return arrow ? `step ${arrow.step}` : `request ${exchange}`;
}

/** Gathers what is shown about the exchange of an arrow. */
export async function stepViewOf(
  lab: CoreLab,
  { exchanges }: FlowSource,
  story: FlowStory,
  arrow: FlowArrow,
  withSecrets: boolean,
): Promise<ChosenStep | undefined> {
  const exchange = exchanges.find(({ id }) => id === arrow.exchange);
  if (!exchange) return undefined;
  const nameExchange = (id: number) => nameOfExchange(story, id);
  const handler = lab.handlerOf(exchange);
  const tokens = handler ? await tokensIn(handler, exchange) : [];
  const facts = checkFactsOf(lab.issuer, exchange, exchanges, nameExchange);
  return {
    arrow,
    exchange,
    details: exchangeDetails(exchange, lab.issuer, withSecrets),
    refusal: refusalOf(exchange),
    formProblem: formProblemOf(exchange),
    checks: checksOf(facts),
    proof: await pkceProofOf(exchange, exchanges),
    tokens: withSecrets ? tokens : tokens.map(withoutSecrets),
  };
}
