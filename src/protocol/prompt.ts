import { OAuthError } from "./oauth_error.ts";

export const prompts = ["none", "login", "consent", "select_account"] as const;

export type Prompt = (typeof prompts)[number];

/** Reads what the user is to be asked, even where the server would not (OpenID Connect Core, section 3.1.2.1). */
export function readPrompt(text: string | undefined): Prompt[] {
  if (text === undefined) return [];
  const wanted = text.split(" ");
  if (!wanted.every(isPrompt)) throw refuse(`A prompt is made of: ${prompts.join(", ")}.`);
  if (wanted.includes("none") && wanted.length > 1) throw refuse("The prompt 'none' stands alone.");
  return wanted;
}

function isPrompt(text: string): text is Prompt {
  return prompts.some((prompt) => prompt === text);
}

function refuse(message: string): OAuthError {
  return new OAuthError("invalid_request", message, {
    see: "OpenID Connect Core, section 3.1.2.1",
  });
}
