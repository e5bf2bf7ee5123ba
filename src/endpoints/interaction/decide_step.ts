import { hasConsented } from "../../issuer/authorizations/consents.ts";
import type { Context } from "../../issuer/context.ts";
import { matchesRequestedUser } from "../../issuer/requests/id_token_hint.ts";
import type { SignedInUser } from "../../issuer/sessions/sessions.ts";
import { numericDate } from "../../issuer/time.ts";
import type { Client } from "../../model/client.ts";
import { type InteractionStep, nextStep } from "../../protocol/next_step.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";

/** A request, and how far the person has come with it. */
export interface StepInput {
  pending: PendingRequest;
  signedIn?: SignedInUser;
  /** The session that was opened, or chosen, for this request. */
  chosen?: string;
  chosenBySignIn?: boolean;
  mustSignIn?: boolean;
  /** Whether the person has just allowed it. */
  allowed?: boolean;
}

/** What comes next, and for whom. */
export type Decision = SignInDecision | SignedInDecision;

export interface SignInDecision {
  step: "sign-in";
  pending: PendingRequest;
  client: Client;
}

export interface SignedInDecision {
  step: Exclude<InteractionStep, "sign-in">;
  pending: PendingRequest;
  client: Client;
  signedIn: SignedInUser;
}

/** Looks up what the rule needs to know, and asks the rule. */
export async function decideStep(
  ctx: Context,
  client: Client,
  progress: StepInput,
): Promise<Decision> {
  const { pending, signedIn, chosen, chosenBySignIn, mustSignIn } = progress;
  const step = nextStep({
    request: pending,
    session: signedIn?.session,
    chosen,
    chosenBySignIn,
    mustSignIn,
    matchesRequestedUser: signedIn === undefined ||
      await matchesRequestedUser(ctx, client, pending, signedIn.user),
    acrValues: ctx.settings.acrValues,
    consented: await isAllowed(ctx, progress, client),
    now: numericDate(ctx),
  });
  return step === "sign-in" || !signedIn
    ? { step: "sign-in", pending, client }
    : { step, pending, client, signedIn };
}

async function isAllowed(
  ctx: Context,
  { pending, signedIn, allowed }: StepInput,
  client: Client,
): Promise<boolean> {
  if (allowed) return true;
  if (!signedIn || pending.prompt.includes("consent")) return false;
  return await hasConsented(ctx, signedIn.user, client, pending);
}
