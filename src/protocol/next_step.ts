import { minute } from "../util/duration.ts";
import { attainableAcrValues, type RequestedAcr, satisfiedAcr } from "./acr.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import { type ErrorCode, errorFactory, OAuthError } from "./oauth_error.ts";

const loginRequired = errorFactory("login_required", "OpenID Connect Core, section 3.1.2.1");
const unmetAuthenticationRequirements = errorFactory(
  "unmet_authentication_requirements",
  "OpenID Connect Core, section 5.5.1.1",
);

/**
 * How old the sign-in for a request may become while the user reads its consent page, in seconds,
 * even if `max_age` is shorter.
 */
const consentTime = 5 * minute;

/** The steps that show a page. */
export type InteractivePage = "sign-in" | "select-account" | "consent";

/** The next step of an authorization request. */
export type InteractionStep = InteractivePage | "respond";

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

/**
 * The errors of `prompt=none`, by the page that it forbids (OpenID Connect Core, section 3.1.2.6).
 */
const promptNoneErrors: Record<InteractivePage, [code: ErrorCode, message: string]> = {
  "sign-in": ["login_required", "The user must sign in, but the prompt is 'none'."],
  "select-account": [
    "account_selection_required",
    "The user must select an account, but the prompt is 'none'.",
  ],
  "consent": ["consent_required", "The user has not consented yet, but the prompt is 'none'."],
};

/** Decides what happens next (OpenID Connect Core, sections 3.1.2.3 and 3.1.2.4). */
export function nextStep(state: InteractionState): InteractionStep {
  checkAcrAttainable(state.request.acr, state.acrValues);
  const step = stepFor(state);
  if (step !== "respond" && state.request.prompt.includes("none")) {
    const [code, message] = promptNoneErrors[step];
    throw new OAuthError(code, message, { see: "OpenID Connect Core, section 3.1.2.6" });
  }
  return step;
}

function stepFor(state: InteractionState): InteractionStep {
  const { session, chosen, request, consented } = state;
  if (!session) return "sign-in";
  if (chosen === session.sid) {
    if (isChosenSessionTooOld(state, session)) return "sign-in";
    checkRequirementsMet(state, session);
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

/** A new sign-in helps only if it can reach a requested value (RFC 9470, section 5). */
function isTooWeak(
  acr: string | undefined,
  requested: RequestedAcr | undefined,
  supported: readonly string[],
): boolean {
  return attainableAcrValues(requested, supported).length > 0 &&
    satisfiedAcr(requested, acr, supported) === undefined;
}

/** Never prompt twice in a row; tell the client that its requirement was not met. */
function checkRequirementsMet(
  { request, matchesRequestedUser, acrValues }: InteractionState,
  session: SessionState,
): void {
  if (!matchesRequestedUser) {
    throw loginRequired("The user who signed in is not the one whom the client requested.");
  }
  if (request.acr?.essential && isTooWeak(session.acr, request.acr, acrValues)) {
    throw unmetAuthenticationRequirements(
      "The sign-in did not reach the acr that the request marks as essential.",
    );
  }
}

function checkAcrAttainable(
  requested: RequestedAcr | undefined,
  supported: readonly string[],
): void {
  if (requested?.essential && attainableAcrValues(requested, supported).length === 0) {
    throw unmetAuthenticationRequirements(
      "This server supports none of the acr values that the request marks as essential.",
    );
  }
}
