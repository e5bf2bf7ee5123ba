import type { Client } from "../model/client.ts";
import { mayUse, type User } from "../model/user.ts";
import { minute } from "../util/time/duration.ts";
import { acrRules, isTooWeak } from "./acr.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import { promptRules } from "./interactive_request.ts";
import { type ApplyRule, type Rule, ruleSet } from "./rule.ts";

/**
 * How old the sign-in for a request may become while the user reads its consent page, in seconds,
 * even if `max_age` is shorter.
 */
const consentTime = 5 * minute;

export type InteractivePage = "sign-in" | "select-account" | "consent";

/** The next step of an authorization request. */
export type InteractionStep = InteractivePage | "respond";

const aboutUser = { see: "OAuth 2.1, section 4.1.2.1", error: "access_denied" } as const;

export const userRules = ruleSet("user", aboutUser, {
  allows: {
    title: "The user must allow the request",
    message: "The user did not allow this.",
    details: { see: undefined },
    fix: "Handle the denial: continue without access, and let the user try again.",
    holds: ({ isAllowed }: { isAllowed: boolean }) => isAllowed,
  },
  requested: {
    see: "OpenID Connect Core, section 3.1.2.1",
    parameter: "id_token_hint",
    error: "login_required",
    title: "The user who signs in must be the one whom the client requested",
    fix: "Sign in as the requested user, or omit the id_token_hint.",
    holds: ({ matchesRequestedUser }: { matchesRequestedUser: boolean }) => matchesRequestedUser,
  },
  may_use: {
    title: "The user must be in one of the groups of the client",
    message: ({ client }) => `The user may not use ${client.name}.`,
    details: ({ client }) => ({ see: undefined, deniedClient: client.name }),
    fix: "Add the user to a group of the client: hallpass user set NAME --add group=GROUP.",
    holds: ({ user, client }: Pick<InteractionState, "user" | "client">) =>
      user === undefined || mayUse(user, client),
  },
});

/** One rule for each page that `prompt=none` forbids (OpenID Connect Core, section 3.1.2.6). */
export const promptNoneRules: Readonly<Record<InteractivePage, Rule<readonly string[]>>> = {
  "sign-in": promptRules.none_sign_in,
  "select-account": promptRules.none_select_account,
  "consent": promptRules.none_consent,
};

export interface SessionState {
  sid: string;
  /** In seconds. */
  authTime: number;
  acr?: string | undefined;
  /** Whether the sign-in was by what its user must have. */
  isSufficient: boolean;
}

/** How far a user has come with a request. */
export type InteractionProgress = UnsettledProgress | SettledProgress;

/** Nothing has happened yet, or the user wants to sign in as another user. */
export interface UnsettledProgress {
  state: "begun" | "switching";
}

/** The user signed in for the request, or selected the session that the browser had. */
export interface SettledProgress {
  state: "signed-in" | "selected";
  sid: string;
  /** The state that counts if the browser has another session by now. */
  before: UnsettledProgress["state"];
}

/** Everything that the decision depends on. */
export interface InteractionState {
  request: Pick<AuthorizationRequest, "prompt" | "maxAge" | "acr">;
  session?: SessionState | undefined;
  /** Whether the session belongs to a user whom the client accepts. */
  matchesRequestedUser: boolean;
  progress: InteractionProgress;
  consented: boolean;
  client: Pick<Client, "name" | "groups">;
  user: Pick<User, "name" | "claims" | "instance"> | undefined;
  /** The acr values that the server supports, from weak to strong. */
  acrValues: readonly string[];
  /** In seconds. */
  now: number;
}

/** Returns the state before the user signed in or selected a session. */
export function unsettledState(progress: InteractionProgress): UnsettledProgress["state"] {
  return "sid" in progress ? progress.before : progress.state;
}

/** Decides what happens next (OpenID Connect Core, sections 3.1.2.3 and 3.1.2.4). */
export function nextStep(apply: ApplyRule, state: InteractionState): InteractionStep {
  const { request: { acr, prompt }, acrValues } = state;
  apply(acrRules.attainable, { requested: acr, supported: acrValues });
  const step = stepFor(apply, state);
  if (state.session?.isSufficient === false) apply(promptRules.none_passkey, prompt);
  if (step !== "respond") apply(promptNoneRules[step], prompt);
  return step;
}

function stepFor(apply: ApplyRule, state: InteractionState): InteractionStep {
  const { session, progress, request, consented, now } = state;
  if (!session?.isSufficient) return "sign-in";
  if ("sid" in progress && progress.sid === session.sid) {
    // The session may have become too old while a page was open. Never prompt twice in a row: a
    // sign-in for this request counts for a while, even with `max_age=0`.
    const { maxAge = Infinity } = request;
    const isNew = progress.state === "signed-in";
    const allowedAge = isNew ? Math.max(maxAge, consentTime) : maxAge;
    if (now - session.authTime > allowedAge) return "sign-in";
    const { matchesRequestedUser, acrValues: supported } = state;
    // The client learns that its requirement was not met.
    apply(userRules.requested, { matchesRequestedUser });
    apply(acrRules.reached, { requested: request.acr, reached: session.acr, supported });
  } else {
    if (needsSignIn(state, session)) return "sign-in";
    if (request.prompt.includes("select_account")) return "select-account";
  }
  apply(userRules.may_use, state);
  return consented ? "respond" : "consent";
}

/** Whether the session of the browser is not enough for the request. */
export function needsSignIn(
  { request, matchesRequestedUser, progress, acrValues, now }: InteractionState,
  { authTime, acr, isSufficient }: SessionState,
): boolean {
  const { prompt, maxAge } = request;
  // A `max_age` of 0 equals `prompt=login` (OpenID Connect Core, section 3.1.2.1).
  return !isSufficient || unsettledState(progress) === "switching" || !matchesRequestedUser ||
    prompt.includes("login") || maxAge === 0 || now - authTime > (maxAge ?? Infinity) ||
    isTooWeak(acr, request.acr, acrValues);
}
