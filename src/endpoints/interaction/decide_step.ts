import type { Client } from "../../protocol/client.ts";
import type { Asked } from "../../protocol/asked.ts";
import type { Step } from "../../protocol/next_step.ts";
import { nextStep } from "../../protocol/next_step.ts";
import { hasConsented } from "../../issuer/authorizations/consents.ts";
import type { Context } from "../../issuer/context.ts";
import { isWanted } from "../../issuer/requests/id_token_hint.ts";
import type { SignedIn } from "../../issuer/sessions/sessions.ts";
import { numericDate } from "../../issuer/time.ts";

/** A request, and how far the person has come with it. */
export interface Progress {
  asked: Asked;
  signedIn?: SignedIn;
  /** The session that was opened, or chosen, for this request. */
  chosen?: string;
  chosenBySignIn?: boolean;
  mustSignIn?: boolean;
  /** Whether the person has just allowed it. */
  allowed?: boolean;
}

/** What comes next, and for whom. */
export type Decision = SignInDecision | PersonDecision;

export interface SignInDecision {
  step: "sign-in";
  asked: Asked;
  client: Client;
}

export interface PersonDecision {
  step: Exclude<Step, "sign-in">;
  asked: Asked;
  client: Client;
  signedIn: SignedIn;
}

/** Looks up what the rule needs to know, and asks the rule. */
export async function decideStep(ctx: Context, client: Client, progress: Progress): Promise<Decision> {
  const { asked, signedIn, chosen, chosenBySignIn, mustSignIn } = progress;
  const step = nextStep({
    request: asked,
    session: signedIn?.session,
    chosen,
    chosenBySignIn,
    mustSignIn,
    isWanted: signedIn === undefined || await isWanted(ctx, client, asked, signedIn.user),
    acrValues: ctx.settings.acrValues,
    consented: await isAllowed(ctx, progress, client),
    now: numericDate(ctx),
  });
  return step === "sign-in" || !signedIn ? { step: "sign-in", asked, client } : { step, asked, client, signedIn };
}

async function isAllowed(ctx: Context, { asked, signedIn, allowed }: Progress, client: Client): Promise<boolean> {
  if (allowed) return true;
  if (!signedIn || asked.prompt.includes("consent")) return false;
  return await hasConsented(ctx, signedIn.user, client, asked);
}
