import { comparedLists, ruleSet } from "./rule_set.ts";

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
    must: "The prompt must consist of known values, separated by single spaces",
  },
  none_alone: {
    must: "The prompt 'none' must not be combined with other values",
    holds: (values: readonly string[]) => values.length <= 1 || !values.includes("none"),
    came: (values) => values.join(" "),
  },
  none_sign_in: {
    ...withoutPages,
    error: "login_required",
    must: "With the prompt 'none', the user must be signed in already",
  },
  none_select_account: {
    ...withoutPages,
    error: "account_selection_required",
    must: "With the prompt 'none', the user must not have to select an account",
  },
  none_consent: {
    ...withoutPages,
    error: "consent_required",
    must: "With the prompt 'none', the user must have consented already",
  },
});

const aboutMaxAge = { ...about, parameter: "max_age" } as const;

export const maxAgeRules = ruleSet("max_age", aboutMaxAge, {
  number: {
    must: "The max_age must be a whole number of seconds, in digits",
    holds: (text: string) => /^\d{1,9}$/.test(text),
    came: (text) => text,
  },
});
