import { minute } from "../util/duration.ts";
import { attainableAcrValues, type RequestedAcr, satisfiedAcr } from "./acr.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import type { ErrorCode } from "./oauth_error.ts";
import type { ApplyRule, Rule } from "./rule.ts";

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

/** The requested acr values, and what the server or the sign-in offers. */
interface AcrPair {
  requested: RequestedAcr | undefined;
  supported: readonly string[];
  /** The acr of the sign-in. */
  reached?: string | undefined;
}

const acrIsAttainable: Rule<AcrPair> = {
  id: "acr.attainable",
  title: "The server can meet an essential acr request",
  see: "OpenID Connect Core, section 5.5.1.1",
  parameter: "claims",
  error: "unmet_authentication_requirements",
  message: "This server supports none of the acr values that the request marks as essential.",
  advice: "Request one of the acr_values_supported of the metadata, or don't mark it as essential.",
  holds: ({ requested, supported }) =>
    !requested?.essential || attainableAcrValues(requested, supported).length > 0,
  expected: ({ supported }) => supported.join(" or ") || "no acr value",
  came: ({ requested }) => requested?.values.join(" ") ?? "none",
};

const acrIsReached: Rule<AcrPair> = {
  id: "acr.reached",
  title: "The sign-in meets an essential acr request",
  see: "OpenID Connect Core, section 5.5.1.1",
  parameter: "claims",
  error: "unmet_authentication_requirements",
  message: "The sign-in did not reach the acr that the request marks as essential.",
  advice: "Sign in with a stronger method, or don't mark the acr as essential.",
  holds: ({ requested, reached, supported }) =>
    !requested?.essential || !isTooWeak(reached, requested, supported),
  expected: ({ requested }) => requested?.values.join(" or ") ?? "any",
  came: ({ reached }) => reached ?? "none",
};

const userIsRequested: Rule<{ matchesRequestedUser: boolean }> = {
  id: "user.requested",
  title: "The user who signed in is the requested one",
  see: "OpenID Connect Core, section 3.1.2.1",
  parameter: "id_token_hint",
  error: "login_required",
  message: "The user who signed in is not the one whom the client requested.",
  advice: "Sign in as the requested user, or omit the id_token_hint.",
  holds: ({ matchesRequestedUser }) => matchesRequestedUser,
};

/** The step that comes next, and the requested prompts. */
interface PromptedStep {
  step: InteractionStep;
  prompt: readonly string[];
}

/** One rule for each page that `prompt=none` forbids (OpenID Connect Core, section 3.1.2.6). */
const promptNoneRules: Readonly<Record<InteractivePage, Rule<PromptedStep>>> = {
  "sign-in": promptNoneRule("sign-in", "login_required", "must sign in"),
  "select-account": promptNoneRule(
    "select-account",
    "account_selection_required",
    "must select an account",
  ),
  "consent": promptNoneRule("consent", "consent_required", "has not consented yet"),
};

function promptNoneRule(
  page: InteractivePage,
  error: ErrorCode,
  need: string,
): Rule<PromptedStep> {
  return {
    id: `prompt.none_${page.replace("-", "_")}`,
    title: `The prompt is not 'none', or no ${page} page is needed`,
    see: "OpenID Connect Core, section 3.1.2.6",
    parameter: "prompt",
    error,
    message: `The user ${need}, but the prompt is 'none'.`,
    advice: "Start again without prompt=none, so that the user sees a page.",
    holds: ({ step, prompt }) => step !== page || !prompt.includes("none"),
  };
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
  apply: ApplyRule,
  { request, matchesRequestedUser, acrValues }: InteractionState,
  { acr }: SessionState,
): void {
  apply(userIsRequested, { matchesRequestedUser });
  apply(acrIsReached, { requested: request.acr, reached: acr, supported: acrValues });
}
