import type { AccessRights } from "../model/access_rights.ts";
import type { ClientReference } from "../model/client_identity.ts";
import type { RequestedAcr } from "./acr.ts";
import type { ClaimsRequest } from "./claims_request.ts";
import { errorFactory } from "./oauth_error.ts";

const invalidRequest = errorFactory("invalid_request", "OpenID Connect Core, section 3.1.2.1");

export const prompts = ["none", "login", "consent", "select_account"] as const;

export type Prompt = (typeof prompts)[number];

/** What a client asks of a user, in an authorization request or a device request. */
export interface InteractiveRequest extends AccessRights {
  clientId: string;
  /** The client; unknown for a request that an earlier version of the server stored. */
  requestedBy?: ClientReference | undefined;
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
export function readPrompt(text: string | undefined): Prompt[] {
  if (text === undefined) return [];
  const values = text.split(" ");
  if (!values.every(isPrompt)) {
    throw invalidRequest(`The prompt must consist of these values: ${prompts.join(", ")}.`);
  }
  if (values.includes("none") && values.length > 1) {
    throw invalidRequest("The prompt 'none' cannot be combined with other values.");
  }
  return values;
}

function isPrompt(text: string): text is Prompt {
  return prompts.some((prompt) => prompt === text);
}

/** Reads the `max_age` parameter, in seconds (OpenID Connect Core, section 3.1.2.1). */
export function readMaxAge(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) {
    throw invalidRequest("The max_age must be a whole number of seconds.");
  }
  return Number(text);
}
