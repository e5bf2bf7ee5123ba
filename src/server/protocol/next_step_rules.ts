import { attainableAcrValues, isTooWeak, type RequestedAcr } from "./acr.ts";
import { promptRules } from "./prompt_rules.ts";
import type { Rule } from "./rule.ts";
import { ruleSet } from "./rule_set.ts";

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

const aboutAcr = {
  see: "OpenID Connect Core, section 5.5.1.1",
  parameter: "claims",
  error: "unmet_authentication_requirements",
} as const;

export const acrRules = ruleSet("acr", aboutAcr, {
  attainable: {
    must: "The server must support one of the acr values that the request marks as essential",
    fix: "Request one of the acr_values_supported of the metadata, or don't mark it as essential.",
    holds: ({ requested, supported }: AcrPair) =>
      !requested?.essential || attainableAcrValues(requested, supported).length > 0,
    expected: ({ supported }) => supported.join(" or ") || "no acr value",
    came: ({ requested }) => requested?.values.join(" ") ?? "none",
  },
  reached: {
    must: "The sign-in must reach the acr that the request marks as essential",
    fix: "Sign in with a stronger method, or don't mark the acr as essential.",
    holds: ({ requested, reached, supported }: AcrPair) =>
      !requested?.essential || !isTooWeak(reached, requested, supported),
    expected: ({ requested }) => requested?.values.join(" or ") ?? "any",
    came: ({ reached }) => reached ?? "none",
  },
});

const aboutUser = { see: "OAuth 2.1, section 4.1.2.1", error: "access_denied" } as const;

export const userRules = ruleSet("user", aboutUser, {
  allows: {
    must: "The user must allow the request",
    message: "The user did not allow this.",
    details: { see: undefined },
    fix: "Handle the denial: continue without access, and let the user try again.",
    holds: ({ isAllowed }: { isAllowed: boolean }) => isAllowed,
  },
  requested: {
    see: "OpenID Connect Core, section 3.1.2.1",
    parameter: "id_token_hint",
    error: "login_required",
    must: "The user who signs in must be the one whom the client requested",
    fix: "Sign in as the requested user, or omit the id_token_hint.",
    holds: ({ matchesRequestedUser }: { matchesRequestedUser: boolean }) => matchesRequestedUser,
  },
});

/** One rule for each page that `prompt=none` forbids (OpenID Connect Core, section 3.1.2.6). */
export const promptNoneRules: Readonly<Record<InteractivePage, Rule<readonly string[]>>> = {
  "sign-in": promptRules.none_sign_in,
  "select-account": promptRules.none_select_account,
  "consent": promptRules.none_consent,
};
