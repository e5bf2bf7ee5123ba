import { readForm } from "../../http/body.ts";
import type { Context } from "../../issuer/context.ts";
import { findInteraction, type PendingInteraction } from "../../issuer/requests/interactions.ts";
import { type Browser, checkFormToken, findBrowser } from "../../issuer/sessions/browsers.ts";
import { findSession, type SignedInUser } from "../../issuer/sessions/sessions.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";

/** A form of a page of an interaction, after it was found to come from that page. */
export interface InteractionForm {
  interaction: PendingInteraction;
  browser: Browser;
  form: FormParameters;
  signedIn?: SignedInUser;
}

/** Takes a form: of this browser, for this interaction and step, and for whoever was signed in when the page was shown. */
export async function readInteractionForm(
  ctx: Context,
  request: Request,
  id: string,
  step: "sign-in" | "account" | "consent",
): Promise<InteractionForm> {
  const browser = await findBrowser(ctx, request);
  const interaction = await findInteraction(ctx, id, browser);
  const form = await readForm(request);
  const signedIn = await findSession(ctx, request);
  await checkFormToken(
    browser,
    formPurpose(step, id, step === "sign-in" ? undefined : signedIn?.session.sid),
    form,
  );
  return { interaction, browser: browser!, form, signedIn };
}

/** What a form is for. One that was made for one account does nothing once another one is signed in. */
export function formPurpose(step: "sign-in" | "account" | "consent", id: string, sid = ""): string {
  return `${step} ${id} ${sid}`;
}
