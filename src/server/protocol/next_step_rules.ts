import { attainableAcrValues, isTooWeak, type RequestedAcr } from "./acr.ts";
import type { ErrorCode } from "./oauth_error.ts";
import type { Rule } from "./rule.ts";

/** The steps that show a page. */
export type InteractivePage = "sign-in" | "select-account" | "consent";

/** The next step of an authorization request. */
export type InteractionStep = InteractivePage | "respond";

/** The requested acr values, and what the server or the sign-in offers. */
interface AcrPair {
  requested: RequestedAcr | undefined;
  supported: readonly string[];
  /** The acr of the sign-in. */
  reached?: string | undefined;
}

export const acrIsAttainable: Rule<AcrPair> = {
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

export const acrIsReached: Rule<AcrPair> = {
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

export const userIsRequested: Rule<{ matchesRequestedUser: boolean }> = {
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
export const promptNoneRules: Readonly<Record<InteractivePage, Rule<PromptedStep>>> = {
  "sign-in": promptNoneRule("sign-in", "login_required", "must sign in"),
  "select-account": promptNoneRule(
    "select-account",
    "account_selection_required",
    "must select an account",
  ),
  "consent": promptNoneRule("consent", "consent_required", "has not consented yet"),
};

function promptNoneRule(page: InteractivePage, error: ErrorCode, need: string): Rule<PromptedStep> {
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
