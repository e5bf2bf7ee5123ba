import { minute } from "../util/duration.ts";
import { isTooWeak } from "./acr.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import {
  acrIsAttainable,
  acrIsReached,
  type InteractionStep,
  promptNoneRules,
  userIsRequested,
} from "./next_step_rules.ts";
import type { ApplyRule } from "./rule.ts";

/**
 * How old the sign-in for a request may become while the user reads its consent page, in seconds,
 * even if `max_age` is shorter.
 */
const consentTime = 5 * minute;

/** The session of the browser. */
export interface SessionState {
  sid: string;
  /** In seconds. */
  authTime: number;
  acr?: string | undefined;
}

/** Everything that the decision depends on. */
export interface InteractionState {
  request: Pick<AuthorizationRequest, "prompt" | "maxAge" | "acr">;
  session?: SessionState | undefined;
  /** Whether the session belongs to a user whom the client accepts. */
  matchesRequestedUser: boolean;
  /** The `sid` of the session that was opened or selected for this request. */
  chosen?: string | undefined;
  /** Whether the user signed in for this request, and did not select an existing session. */
  chosenBySignIn?: boolean | undefined;
  /** Whether the user asked to sign in as someone else. */
  mustSignIn?: boolean | undefined;
  consented: boolean;
  /** The acr values that the server supports, from weak to strong. */
  acrValues: readonly string[];
  /** In seconds. */
  now: number;
}

/** Decides what happens next (OpenID Connect Core, sections 3.1.2.3 and 3.1.2.4). */
export function nextStep(apply: ApplyRule, state: InteractionState): InteractionStep {
  const { request: { acr, prompt }, acrValues } = state;
  apply(acrIsAttainable, { requested: acr, supported: acrValues });
  const step = stepFor(apply, state);
  if (step !== "respond") apply(promptNoneRules[step], { step, prompt });
  return step;
}

function stepFor(apply: ApplyRule, state: InteractionState): InteractionStep {
  const { session, chosen, request, consented } = state;
  if (!session) return "sign-in";
  if (chosen === session.sid) {
    if (isChosenSessionTooOld(state, session)) return "sign-in";
    checkRequirementsMet(apply, state, session);
  } else {
    if (needsSignIn(state, session)) return "sign-in";
    if (request.prompt.includes("select_account")) return "select-account";
  }
  return consented ? "respond" : "consent";
}

/**
 * Whether the session became too old while a page was open. Never prompt twice in a row: a sign-in
 * for this request counts for a while, even with `max_age=0`.
 */
function isChosenSessionTooOld(
  { request, chosenBySignIn, now }: InteractionState,
  { authTime }: SessionState,
): boolean {
  const { maxAge = Infinity } = request;
  return now - authTime > (chosenBySignIn ? Math.max(maxAge, consentTime) : maxAge);
}

function needsSignIn(
  { request, matchesRequestedUser, mustSignIn, acrValues, now }: InteractionState,
  session: SessionState,
): boolean {
  return mustSignIn || !matchesRequestedUser || request.prompt.includes("login") ||
    isTooOld(session.authTime, request.maxAge, now) ||
    isTooWeak(session.acr, request.acr, acrValues);
}

/** A `max_age` of 0 equals `prompt=login` (OpenID Connect Core, section 3.1.2.1). */
function isTooOld(authTime: number, maxAge: number | undefined, now: number): boolean {
  return maxAge !== undefined && (maxAge === 0 || now - authTime > maxAge);
}

/** Never prompt twice in a row; tell the client that its requirement was not met. */
function checkRequirementsMet(
  apply: ApplyRule,
  { request, matchesRequestedUser, acrValues }: InteractionState,
  { acr }: SessionState,
): void {
  apply(userIsRequested, { matchesRequestedUser });
  apply(acrIsReached, { requested: request.acr, reached: acr, supported: acrValues });
}
