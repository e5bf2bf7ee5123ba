import type { AccessRights } from "../model/access_rights.ts";
import type { ClientReference } from "../model/client_identity.ts";
import type { RequestedAcr } from "./acr.ts";
import type { ClaimsRequest } from "./claims_request.ts";
import { maxAgeRules, promptRules } from "./prompt_rules.ts";
import type { ApplyRule } from "./rule.ts";

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

/** Reads the `prompt` parameter (OpenID Connect Core, section 3.1.2.1). */
export function readPrompt(apply: ApplyRule, text: string | undefined): Prompt[] {
  if (text === undefined) return [];
  const values = text.split(" ");
  apply(promptRules.known, { came: values, expected: prompts });
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
