import type { AccessRights } from "../model/access_token.ts";
import type { ClientReference } from "../model/client.ts";
import type { RequestedAcr } from "./acr.ts";
import type { ClaimsRequest } from "./claims_request.ts";
import { type ApplyRule, comparedLists, ruleSet } from "./rule.ts";

export const prompts = ["none", "login", "consent", "select_account"] as const;

export type Prompt = (typeof prompts)[number];

const about = {
  see: "OpenID Connect Core, section 3.1.2.1",
  parameter: "prompt",
  error: "invalid_request",
} as const;

/** The rule for a page that the prompt 'none' forbids. */
const withoutPages = {
  see: "OpenID Connect Core, section 3.1.2.6",
  fix: "Start again without prompt=none, so that the user sees a page.",
  holds: (prompt: readonly string[]) => !prompt.includes("none"),
};

export const promptRules = ruleSet("prompt", about, {
  known: {
    ...comparedLists,
    title: "The prompt must consist of known values, separated by single spaces",
  },
  none_alone: {
    title: "The prompt 'none' must not be combined with other values",
    holds: (values: readonly string[]) => values.length <= 1 || !values.includes("none"),
    received: (values) => values.join(" "),
  },
  none_sign_in: {
    ...withoutPages,
    error: "login_required",
    title: "With the prompt 'none', the user must be signed in already",
  },
  none_passkey: {
    ...withoutPages,
    error: "interaction_required",
    title: "With the prompt 'none', the user must have signed in by passkey, if that is required",
  },
  none_select_account: {
    ...withoutPages,
    error: "account_selection_required",
    title: "With the prompt 'none', the user must not have to select an account",
  },
  none_consent: {
    ...withoutPages,
    error: "consent_required",
    title: "With the prompt 'none', the user must have consented already",
  },
});

const aboutMaxAge = { ...about, parameter: "max_age" } as const;

const maxAgeRules = ruleSet("max_age", aboutMaxAge, {
  number: {
    title: "The max_age must be a whole number of seconds, in digits",
    holds: (text: string) => /^\d{1,9}$/.test(text),
    received: (text) => text,
  },
});

/** What a client asks of a user, in an authorization request or a device request. */
export interface InteractiveRequest extends AccessRights {
  clientId: string;
  requestedBy: ClientReference;
  codeChallenge?: string | undefined;
  prompt: Prompt[];
  /** The maximum age of the sign-in, in seconds. */
  maxAge?: number | undefined;
  loginHint?: string | undefined;
  /** The languages that the client prefers for the pages, as language tags. */
  uiLocales?: string | undefined;
  /** The user whom the client expects to be signed in. */
  subjectHint?: SubjectHint | undefined;
  acr?: RequestedAcr | undefined;
  claims?: ClaimsRequest | undefined;
}

/** A user, by the subject identifier that one client knows. */
export interface SubjectHint {
  subject: string;
  clientId: string;
}

/** Reads the `prompt` parameter (OpenID Connect Core, section 3.1.2.1). */
export function readPrompt(apply: ApplyRule, text: string | undefined): Prompt[] {
  if (text === undefined) return [];
  const values = text.split(" ");
  apply(promptRules.known, { received: values, expected: prompts });
  apply(promptRules.none_alone, values);
  return values.filter(isPrompt);
}

function isPrompt(text: string): text is Prompt {
  return prompts.some((prompt) => prompt === text);
}

/** Reads the `max_age` parameter, in seconds (OpenID Connect Core, section 3.1.2.1). */
export function readMaxAge(apply: ApplyRule, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  apply(maxAgeRules.number, text);
  return Number(text);
}
