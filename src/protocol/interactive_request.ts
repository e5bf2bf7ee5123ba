import type { AccessRights } from "../model/access_rights.ts";
import type { RequestedAcr } from "./acr.ts";
import type { ClaimsRequest } from "./claims_request.ts";
import type { Prompt } from "./prompt.ts";

/** What a client asks a person for, by whichever way the answer goes back. */
export interface InteractiveRequest extends AccessRights {
  clientId: string;
  codeChallenge?: string;
  prompt: Prompt[];
  /** The oldest sign-in that will do, in seconds. */
  maxAge?: number;
  loginHint?: string;
  /** Whom the client takes to be signed in. */
  subjectHint?: SubjectHint;
  acr?: RequestedAcr;
  claims?: ClaimsRequest;
}

/** A person, as a client knows them. */
export interface SubjectHint {
  subject: string;
  clientId: string;
}
