import { minute } from "../util/duration.ts";
import { attainableValues, type RequestedAcr, satisfiedAcr } from "./acr.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import { type ErrorCode, errorFactory, OAuthError } from "./oauth_error.ts";

const loginRequired = errorFactory("login_required", "OpenID Connect Core, section 3.1.2.1");

/** What stands between a request and its answer. */
export type InteractionStep = "sign-in" | "select-account" | "consent" | "answer";

/** All that the decision depends on. */
export interface InteractionState {
  request: Pick<AuthorizationRequest, "prompt" | "maxAge" | "acr">;
  /** Who is signed in, since when (in seconds), and how strongly. */
  session?: { sid: string; authTime: number; acr?: string };
  /** Whether that is a person whom the client would take. */
  matchesRequestedUser: boolean;
  /** The session that was opened, or chosen, for this very request. */
  chosen?: string;
  /** Whether the person signed in for this request, and did not choose a session that was there. */
  chosenBySignIn?: boolean;
  /** Whether the person wants to be somebody else than the session says. */
  mustSignIn?: boolean;
  consented: boolean;
  /** What the server can say of a sign-in, the weakest first. */
  acrValues: readonly string[];
  /** In seconds. */
  now: number;
}

/** Decides what the user must do next (OpenID Connect Core, sections 3.1.2.3 and 3.1.2.4). */
export function nextStep(state: InteractionState): InteractionStep {
  checkAcrAttainable(state.request.acr, state.acrValues);
  const step = stepFor(state);
  if (step !== "answer" && state.request.prompt.includes("none")) throw interactionRequired(step);
  return step;
}

function stepFor(state: InteractionState): InteractionStep {
  const { session, chosen, request, consented } = state;
  if (!session) return "sign-in";
  const isChosen = chosen === session.sid;
  if (isChosen ? hasGrownTooOld(state, session) : needsSignIn(state, session)) return "sign-in";
  if (isChosen) checkRequirementsMet(state);
  else if (request.prompt.includes("select_account")) return "select-account";
  return consented ? "answer" : "consent";
}

/**
 * How long a person who signed in for a request may read its consent page, in seconds, even if
 * `max_age` is shorter.
 */
const timeToConsent = 5 * minute;

/**
 * A consent page may lie open for long. Never prompt twice in a row, though: a sign-in for this
 * request counts for a while.
 */
function hasGrownTooOld(
  { request: { maxAge }, chosenBySignIn, now }: InteractionState,
  { authTime }: { authTime: number },
): boolean {
  if (maxAge === undefined) return false;
  return now - authTime > (chosenBySignIn ? Math.max(maxAge, timeToConsent) : maxAge);
}

function needsSignIn(
  { request, matchesRequestedUser, mustSignIn, acrValues, now }: InteractionState,
  session: { authTime: number; acr?: string },
): boolean {
  return mustSignIn || !matchesRequestedUser || request.prompt.includes("login") ||
    isTooOld(session.authTime, request.maxAge, now) ||
    isTooWeak(session.acr, request.acr, acrValues);
}

/** A maximum of 0 asks for a new sign-in, like `prompt=login` (OpenID Connect Core, section 3.1.2.1). */
function isTooOld(authTime: number, maxAge: number | undefined, now: number): boolean {
  return maxAge !== undefined && (maxAge === 0 || now - authTime > maxAge);
}

/** Another sign-in helps only where it could reach something that is wanted (RFC 9470, section 5). */
function isTooWeak(
  acr: string | undefined,
  requested: RequestedAcr | undefined,
  known: readonly string[],
): boolean {
  return attainableValues(requested, known).length > 0 &&
    satisfiedAcr(requested, acr, known) === undefined;
}

/** Whoever has just signed in is not asked a second time: the client learns that it was in vain. */
function checkRequirementsMet(
  { request, session, matchesRequestedUser, acrValues }: InteractionState,
): void {
  if (!matchesRequestedUser) {
    throw loginRequired("Somebody else signed in than the person whom the client named.");
  }
  if (request.acr?.essential && isTooWeak(session?.acr, request.acr, acrValues)) {
    throw unmetAuthenticationRequirements(
      "The sign-in was not as strong as the essential acr claim asks for.",
    );
  }
}

function checkAcrAttainable(requested: RequestedAcr | undefined, known: readonly string[]): void {
  if (requested?.essential && attainableValues(requested, known).length === 0) {
    throw unmetAuthenticationRequirements("No sign-in here has an acr that the request asks for.");
  }
}

function unmetAuthenticationRequirements(message: string): OAuthError {
  return new OAuthError("unmet_authentication_requirements", message, {
    see: "OpenID Connect Core, section 5.5.1.1",
  });
}

/** With `prompt=none` the user sees nothing; the client is told what would have been shown. */
function interactionRequired(step: Exclude<InteractionStep, "answer">): OAuthError {
  const [code, message] = silentErrors[step];
  return new OAuthError(code, message, { see: "OpenID Connect Core, section 3.1.2.6" });
}

const silentErrors: Record<Exclude<InteractionStep, "answer">, [ErrorCode, string]> = {
  "sign-in": [
    "login_required",
    "Nobody is signed in in the way that the request asks for, and the prompt is 'none'.",
  ],
  "select-account": [
    "account_selection_required",
    "An account has to be chosen, and the prompt is 'none'.",
  ],
  "consent": ["consent_required", "The user has not yet allowed this, and the prompt is 'none'."],
};
