import type { AuthorizationRequest } from "./authorization_request.ts";
import type { ErrorCode } from "./oauth_error.ts";
import { OAuthError } from "./oauth_error.ts";

/** What stands between a request and its answer. */
export type Step = "sign-in" | "select-account" | "consent" | "answer";

/** All that the decision depends on. */
export interface Situation {
  request: AuthorizationRequest;
  /** Who is signed in, and since when (in seconds). */
  session?: { sid: string; authTime: number };
  /** The session that was opened, or chosen, for this very request. */
  chosen?: string;
  /** Whether the person wants to be somebody else than the session says. */
  mustSignIn?: boolean;
  consented: boolean;
  /** In seconds. */
  now: number;
}

/** Decides what the user must do next (OpenID Connect Core, sections 3.1.2.3 and 3.1.2.4). */
export function nextStep(situation: Situation): Step {
  const step = stepFor(situation);
  if (step !== "answer" && situation.request.prompt.includes("none")) throw refuseSilently(step);
  return step;
}

function stepFor({ request, session, chosen, mustSignIn, consented, now }: Situation): Step {
  if (!session) return "sign-in";
  if (chosen !== session.sid) {
    if (mustSignIn || request.prompt.includes("login")) return "sign-in";
    if (isTooOld(session.authTime, request.maxAge, now)) return "sign-in";
    if (request.prompt.includes("select_account")) return "select-account";
  }
  return consented ? "answer" : "consent";
}

/** A maximum of 0 asks for a new sign-in, like `prompt=login` (OpenID Connect Core, section 3.1.2.1). */
function isTooOld(authTime: number, maxAge: number | undefined, now: number): boolean {
  return maxAge !== undefined && (maxAge === 0 || now - authTime > maxAge);
}

/** With `prompt=none` the user sees nothing; the client is told what would have been shown. */
function refuseSilently(step: Exclude<Step, "answer">): OAuthError {
  const [code, message] = silentRefusals[step];
  return new OAuthError(code, message, { see: "OpenID Connect Core, section 3.1.2.6" });
}

const silentRefusals: Record<Exclude<Step, "answer">, [ErrorCode, string]> = {
  "sign-in": ["login_required", "Nobody is signed in, or not recently enough, and the prompt is 'none'."],
  "select-account": ["account_selection_required", "An account has to be chosen, and the prompt is 'none'."],
  "consent": ["consent_required", "The user has not yet allowed this, and the prompt is 'none'."],
};
