import { messageOf } from "../../server/util/text/error_message.ts";
import type { FaultName } from "../faults/catalogue.ts";
import { foreignTokenEndpoint } from "../faults/document_faults.ts";
import type { Fault } from "../faults/fault.ts";
import { readJwt } from "../recording/credentials.ts";
import type { Exchange, WireRequest } from "../recording/exchange.ts";
import { LabError } from "../util/lab_error.ts";
import {
  audienceInjection,
  type DrillVariant,
  selectVariants,
  sessionFixation,
} from "./variants.ts";

/** The parts of a lab that a drill needs. */
export interface DrillTarget {
  fault(name: FaultName): Fault;
  faults: { remove(id: string): void };
  flows(): ReadonlyArray<{ id: string; uses: number }>;
  exchanges(): ReadonlyArray<Pick<Exchange, "id" | "request">>;
}

/** How an application handled the hostile variants of a login. */
export interface DrillResult {
  /** The variants that the application accepted as a login, against the rule. */
  accepted: DrillVariant[];
  /** The faults of the variants that it rejected, as it should. */
  refused: string[];
  /**
   * The faults that never fired, or that the application cannot notice, because it does not use
   * what they change.
   */
  unmet: string[];
  /** What happened under each variant, in order. */
  outcomes: DrillOutcome[];
}

/** How an application handled one hostile variant of a login. */
export interface DrillOutcome extends DrillVariant {
  /** Whether the application accepted the login, refused it, or never met the fault. */
  outcome: "accepted" | "refused" | "unmet";
  /** How the login ended, in one sentence, if it failed. */
  reason?: string | undefined;
  /** The id of the flow in the lab: `"flow-1"`. */
  flow?: string | undefined;
}

/** What a drill can be told besides the login. */
export interface DrillOptions {
  /** The faults of the variants; without it, all. */
  only?: readonly FaultName[] | undefined;
  /** Called before the first variant and after each one, with all outcomes so far. */
  onProgress?: ((outcomes: readonly DrillOutcome[], total: number) => void) | undefined;
  /** Whether to stop before the next variant. */
  isStopped?: (() => boolean) | undefined;
}

/**
 * Runs the login of an application once under each hostile variant. The login resolves if the user
 * is signed in; it rejects, or resolves to false, if not.
 */
export async function runDrill(
  lab: DrillTarget,
  login: () => Promise<unknown>,
  { only, onProgress = () => {}, isStopped = () => false }: DrillOptions = {},
): Promise<DrillResult> {
  const variants = selectVariants(only);
  await rehearse(login);
  const outcomes: DrillOutcome[] = [];
  onProgress(outcomes, variants.length);
  for (const variant of variants) {
    if (isStopped()) throw new LabError("The drill was stopped.");
    outcomes.push(await meet(lab, login, variant));
    onProgress(outcomes, variants.length);
  }
  return resultOf(outcomes);
}

/** Sums up the outcomes of a drill. */
export function resultOf(outcomes: readonly DrillOutcome[]): DrillResult {
  const withOutcome = (name: DrillOutcome["outcome"]) =>
    outcomes.filter(({ outcome }) => outcome === name);
  return {
    accepted: withOutcome("accepted").map((
      { outcome: _, reason: _reason, flow: _flow, ...variant },
    ) => variant),
    refused: withOutcome("refused").map(({ fault }) => fault),
    unmet: withOutcome("unmet").map(({ fault }) => fault),
    outcomes: [...outcomes],
  };
}

/** Runs the login under one variant. */
async function meet(
  lab: DrillTarget,
  login: () => Promise<unknown>,
  variant: DrillVariant,
): Promise<DrillOutcome> {
  const before = new Map(lab.flows().map(({ id, uses }) => [id, uses]));
  const lastId = lab.exchanges().at(-1)?.id ?? 0;
  const fault = lab.fault(variant.fault);
  // The attacker's own login, which the attacker does not complete.
  if (variant.fault === sessionFixation) await attemptLogin(login);
  const attempt = await attemptLogin(login).finally(() => lab.faults.remove(fault.id));
  const changed = lab.flows().filter(({ id, uses }) => before.get(id) !== uses);
  const usesToken = changed.some(({ id, uses }) => uses > (before.get(id) ?? 0));
  const isBlind = variant.needsUserinfo === true && attempt.succeeded && !usesToken;
  const flow = changed.find(({ id }) => !before.has(id))?.id;
  const seen = lab.exchanges().filter(({ id }) => id > lastId).map(({ request }) => request);
  const shown = variant.fault === audienceInjection
    ? injectionOutcome(seen)
    : accepted(attempt.succeeded);
  const outcome = fault.fired === 0 || isBlind ? "unmet" : shown;
  return { ...variant, outcome, reason: firstParagraph(attempt.reason), flow };
}

/** An assertion for another server that this one receives could be used there. */
export function injectionOutcome(requests: readonly WireRequest[]): DrillOutcome["outcome"] {
  const assertions = requests.flatMap(({ form }) => form.get("client_assertion") ?? []);
  if (assertions.length === 0) return "unmet";
  const audiences = assertions.flatMap((assertion) => readJwt(assertion)?.claims.aud);
  return accepted(audiences.includes(foreignTokenEndpoint));
}

function accepted(succeeded: boolean): DrillOutcome["outcome"] {
  return succeeded ? "accepted" : "refused";
}

/** Checks that the login works at all: one that always fails would reject every variant. */
async function rehearse(login: () => Promise<unknown>): Promise<void> {
  const { succeeded, reason } = await attemptLogin(login);
  if (!succeeded) throw new LabError(`The login fails even without a fault: ${reason}`);
}

/** Returns the message of an error without the diagram of the flow, which has a page of its own. */
export function firstParagraph(message: string | undefined): string | undefined {
  return message?.split("\n\n", 1)[0];
}

interface LoginAttempt {
  succeeded: boolean;
  reason?: string | undefined;
}

async function attemptLogin(login: () => Promise<unknown>): Promise<LoginAttempt> {
  try {
    if (await login() !== false) return { succeeded: true };
    return { succeeded: false, reason: "The login resolved to false." };
  } catch (cause) {
    return { succeeded: false, reason: messageOf(cause) };
  }
}
