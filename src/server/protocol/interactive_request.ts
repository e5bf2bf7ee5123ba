import type { AccessRights } from "../model/access_rights.ts";
import type { ClientReference } from "../model/client_identity.ts";
import type { RequestedAcr } from "./acr.ts";
import type { ClaimsRequest } from "./claims_request.ts";
import type { ApplyRule, Rule } from "./rule.ts";

const about = { see: "OpenID Connect Core, section 3.1.2.1", error: "invalid_request" } as const;

export const prompts = ["none", "login", "consent", "select_account"] as const;

export type Prompt = (typeof prompts)[number];

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

const promptIsKnown: Rule<readonly string[]> = {
  ...about,
  id: "prompt.known",
  title: "The prompt has only known values",
  parameter: "prompt",
  message: `The prompt must consist of these values: ${prompts.join(", ")}.`,
  advice: "Send known values, separated by single spaces.",
  holds: (values) => values.every(isPrompt),
  came: (values) => values.join(" "),
};

const promptNoneIsAlone: Rule<readonly string[]> = {
  ...about,
  id: "prompt.none_alone",
  title: "The prompt 'none' is not combined with other values",
  parameter: "prompt",
  message: "The prompt 'none' cannot be combined with other values.",
  advice: "Send prompt=none, or the other values without it.",
  holds: (values) => values.length <= 1 || !values.includes("none"),
  came: (values) => values.join(" "),
};

const maxAgeIsANumber: Rule<string> = {
  ...about,
  id: "max_age.number",
  title: "The max_age is a whole number of seconds",
  parameter: "max_age",
  message: "The max_age must be a whole number of seconds.",
  advice: "Send the maximum age of the sign-in in seconds, as digits.",
  holds: (text) => /^\d{1,9}$/.test(text),
  expected: () => "digits",
  came: (text) => `'${text}'`,
};

/** Reads the `prompt` parameter (OpenID Connect Core, section 3.1.2.1). */
export function readPrompt(apply: ApplyRule, text: string | undefined): Prompt[] {
  if (text === undefined) return [];
  const values = text.split(" ");
  apply(promptIsKnown, values);
  apply(promptNoneIsAlone, values);
  return values.filter(isPrompt);
}

function isPrompt(text: string): text is Prompt {
  return prompts.some((prompt) => prompt === text);
}

/** Reads the `max_age` parameter, in seconds (OpenID Connect Core, section 3.1.2.1). */
export function readMaxAge(apply: ApplyRule, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  apply(maxAgeIsANumber, text);
  return Number(text);
}
