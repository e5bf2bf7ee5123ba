import type { AuthorizationRequest } from "../protocol/authorization_request.ts";
import type { Client } from "../protocol/client.ts";
import type { Step } from "../protocol/next_step.ts";
import { nextStep } from "../protocol/next_step.ts";
import { OAuthError } from "../protocol/oauth_error.ts";
import { issueCode } from "../issuer/authorizations.ts";
import { findClient } from "../issuer/clients.ts";
import { hasConsented } from "../issuer/consents.ts";
import type { Context } from "../issuer/context.ts";
import { numericDate } from "../issuer/context.ts";
import type { SignedIn } from "../issuer/sessions.ts";
import { sendReply } from "./reply.ts";

/** A request, and how far the person has come with it. */
export interface Progress {
  asked: AuthorizationRequest;
  signedIn?: SignedIn;
  /** The session that was opened, or chosen, for this request. */
  chosen?: string;
  /** Whether the person has just allowed it. */
  allowed?: boolean;
}

/** What comes next, and for whom. */
export type Decision =
  | { step: "sign-in"; asked: AuthorizationRequest; client: Client }
  | { step: Exclude<Step, "sign-in">; asked: AuthorizationRequest; client: Client; signedIn: SignedIn };

/** Looks up what the rule needs to know, and asks the rule. */
export async function decideStep(ctx: Context, { asked, signedIn, chosen, allowed = false }: Progress): Promise<Decision> {
  const client = await findClient(ctx, asked.replyTo.clientId);
  if (!client) throw new OAuthError("unauthorized_client", "The client has been removed meanwhile.");
  const mayRemember = !asked.prompt.includes("consent");
  const consented = allowed || (signedIn !== undefined && mayRemember && await hasConsented(ctx, signedIn.user, client, asked.scope));
  const step = nextStep({ request: asked, session: signedIn?.session, chosen, consented, now: numericDate(ctx) });
  return step === "sign-in" || !signedIn ? { step: "sign-in", asked, client } : { step, asked, client, signedIn };
}

/** The end of the way: a code goes to the client. */
export async function answerWithCode(
  ctx: Context,
  { client, asked, signedIn }: Extract<Decision, { signedIn: SignedIn }>,
): Promise<Response> {
  return sendReply(ctx, asked.replyTo, { code: await issueCode(ctx, client, asked, signedIn) });
}
