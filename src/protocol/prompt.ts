import { errorFactory } from "./oauth_error.ts";

const invalidRequest = errorFactory("invalid_request", "OpenID Connect Core, section 3.1.2.1");

export const prompts = ["none", "login", "consent", "select_account"] as const;

export type Prompt = (typeof prompts)[number];

/** Reads what the user is to be asked, even where the server would not (OpenID Connect Core, section 3.1.2.1). */
export function readPrompt(text: string | undefined): Prompt[] {
  if (text === undefined) return [];
  const wanted = text.split(" ");
  if (!wanted.every(isPrompt)) throw invalidRequest(`A prompt is made of: ${prompts.join(", ")}.`);
  if (wanted.includes("none") && wanted.length > 1) {
    throw invalidRequest("The prompt 'none' stands alone.");
  }
  return wanted;
}

function isPrompt(text: string): text is Prompt {
  return prompts.some((prompt) => prompt === text);
}
