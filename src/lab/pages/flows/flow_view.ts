import type { CoreLab } from "../../core/core_lab.ts";
import { checkFactsOf } from "../../flows/check_facts.ts";
import { type LabWithTenants, statesOf } from "../../flows/credential_state.ts";
import { type ExchangeDetails, exchangeDetails } from "../../flows/exchange_details.ts";
import { type FlowCheck, flowChecksOf } from "../../flows/flow_checks.ts";
import { readFlowCredentials } from "../../flows/flow_credentials.ts";
import { findingIn, formProblemOf } from "../../flows/flow_outcome.ts";
import type { FlowSource } from "../../flows/flow_source.ts";
import type { FlowArrow, FlowStory } from "../../flows/flow_story.ts";
import { type LineageNode, lineageOf } from "../../flows/lineage.ts";
import { readJwt } from "../../recording/credentials.ts";
import {
  type Exchange,
  parameterOf,
  presentedIn,
  type WireRequest,
} from "../../recording/exchange.ts";
import { type Refusal, refusalOf } from "../../recording/refusal.ts";
import { type PkceProof, pkceProofOf } from "./pkce_proof.tsx";
import { type FoundToken, tokensIn, withoutSecrets } from "./tokens_in.ts";

/** What a client signs for one request, by its parameter. */
const signedParameters: Readonly<Record<string, string>> = {
  client_assertion: "client assertion",
  assertion: "assertion",
  request: "request object",
};

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
  /** What of the request does not work again, a sentence each. */
  unusable: readonly string[];
}

/** Returns what was issued in some exchanges, and what became of it. */
export async function lineageIn(
  lab: CoreLab,
  exchanges: readonly Exchange[],
): Promise<LineageNode[]> {
  const credentials = readFlowCredentials(exchanges, lab.issuer);
  return lineageOf(credentials, await statesOf(lab, credentials));
}

/** Returns the arrow that the reader chose, or else the one that decided the flow. */
export function chooseArrow(
  story: FlowStory,
  exchanges: readonly Exchange[],
  { step, exchange }: {
    step?: number | undefined;
    /** An exchange in place of a step: links from elsewhere know no steps. */
    exchange?: number | undefined;
  },
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

/** Names an exchange as the diagram next to it does; one of another flow has no step there. */
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
  const handler = lab.labOf(exchange.tenant);
  const tokens = handler ? await tokensIn(handler, exchange) : [];
  const facts = checkFactsOf(lab.issuer, exchange, exchanges, nameExchange);
  return {
    arrow,
    exchange,
    details: exchangeDetails(exchange, lab.issuer, withSecrets),
    refusal: refusalOf(exchange),
    formProblem: formProblemOf(exchange),
    checks: flowChecksOf(facts),
    proof: await pkceProofOf(exchange, exchanges),
    tokens: withSecrets ? tokens : tokens.map(withoutSecrets),
    unusable: await unusableValuesOf(lab, exchange, exchanges),
  };
}

/**
 * Returns what a drill found, if it did; the response with the latest tokens, if the flow
 * ended well; or else the first thing that failed, or the end. A mistyped form fails nothing: its
 * user can send it again.
 */
function decidingArrow(
  { arrows, outcome }: FlowStory,
  exchanges: readonly Exchange[],
): FlowArrow | undefined {
  const seen = arrows.filter(({ isInferred }) => !isInferred);
  const found = findingIn(exchanges);
  const changed = seen.find(({ faults }) => faults.some((fault) => fault === found?.id));
  if (found?.isAccepted) return changed ?? seen.at(-1);
  if (outcome.kind === "good") {
    const last = exchanges.findLast(({ events }) =>
      events.some(({ type }) => type === "token.issued")
    );
    return seen.findLast(({ exchange }) => exchange === last?.id);
  }
  const mistyped = exchanges.filter((exchange) => formProblemOf(exchange)).map(({ id }) => id);
  const failed = seen.filter(({ isFailed, exchange }) => isFailed && !mistyped.includes(exchange));
  return failed[0] ?? seen.at(-1);
}

/** Returns what of a request does not work again, a sentence each: its command needs new values. */
async function unusableValuesOf(
  lab: LabWithTenants & { readonly issuer: string },
  { request }: Exchange,
  exchanges: readonly Exchange[],
): Promise<string[]> {
  const credentials = readFlowCredentials(exchanges, lab.issuer);
  const presented = presentedIn(request);
  const issued = credentials.issued.filter(({ value }) => presented.includes(value));
  const states = await statesOf(lab, { ...credentials, issued });
  const ended = issued.flatMap(({ kind, value }) => {
    const state = states.get(value)?.kind;
    return state === "spent" || state === "revoked" || state === "expired"
      ? [`The ${kind} is ${state}: lab.authorize gets a code, and lab.mint makes a token.`]
      : [];
  });
  return [...ended, ...signedIn(request).map((what) => `The ${what} works once: sign a new one.`)];
}

function signedIn(request: WireRequest): string[] {
  const names = Object.keys(signedParameters).filter((name) =>
    readJwt(parameterOf(request, name) ?? "")?.claims.jti !== undefined
  );
  const signed = names.map((name) => signedParameters[name] ?? name);
  return request.headers.dpop === undefined ? signed : [...signed, "DPoP proof"];
}
