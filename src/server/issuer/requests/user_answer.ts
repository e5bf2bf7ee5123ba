import type { IncomingRequest } from "../../http/incoming_request.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";

/** What the server asks before a page asks the user. */
export interface UserQuestion {
  pending: PendingRequest;
  /** The request of the user's browser. */
  request: IncomingRequest;
  /** Whether the request begins, and no page was shown for it. */
  isNew: boolean;
  /** The requested `acr` values that the server supports, in order of preference. */
  acrValues: readonly string[];
}

/** An answer in place of the user, who is not asked. */
export interface UserAnswer {
  /** Who signs in. Without it, the user of the browser's session is meant. */
  signIn?: UnaskedSignIn | undefined;
  /**
   * What the user decides.
   *
   * @default "allow"
   */
  decision?: "allow" | "deny" | undefined;
  /** The part of the scope that the user allows. Without it, all of it. */
  grant?: readonly string[] | undefined;
}

/** A sign-in without a page. */
export interface UnaskedSignIn {
  /** The name of the user. The server does not sign in a disabled one. */
  userName: string;
  /** How strong it is. */
  acr?: string | undefined;
  amr?: string[] | undefined;
  /**
   * What was chosen of an earlier sign-in. A request for which that is too long ago or too weak
   * signs the user in again, as strongly as this one does.
   */
  chosen?: ChosenSignIn | undefined;
}

/** How a user signed in, as what wraps the server chose it; the server knows the rest. */
export interface ChosenSignIn {
  acr?: string | undefined;
  amr?: string[] | undefined;
  /** In seconds. */
  authTime?: number | undefined;
}

/** What the server knows about sign-ins: `now` in milliseconds. */
interface KnownSignIns {
  acrValues: readonly string[];
  now: () => number;
}

/** Returns how a user signed in, as far as the form of a wrapper's own page has it. */
export type ReadChosenSignIn = (form: FormParameters, known: KnownSignIns) => ChosenSignIn;

/**
 * Answers in place of the user of a request, or leaves it to the pages. It is not a setting: only
 * what wraps a server can pass it.
 */
export type AnswerForUser = (question: UserQuestion) => UserAnswer | undefined;
