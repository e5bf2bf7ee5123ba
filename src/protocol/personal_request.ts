import type { Access } from "./access.ts";
import type { WantedAcr } from "./acr.ts";
import type { ClaimsRequest } from "./claims_request.ts";
import type { Prompt } from "./prompt.ts";

/** What a client asks a person for, by whichever way the answer goes back. */
export interface PersonalRequest extends Access {
  clientId: string;
  codeChallenge?: string;
  prompt: Prompt[];
  /** The oldest sign-in that will do, in seconds. */
  maxAge?: number;
  loginHint?: string;
  /** Whom the client takes to be signed in. */
  hint?: KnownAs;
  acr?: WantedAcr;
  claims?: ClaimsRequest;
}

/** A person, as a client knows them. */
export interface KnownAs {
  subject: string;
  clientId: string;
}
