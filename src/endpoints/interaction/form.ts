import { readForm } from "../../http/body.ts";
import type { Parameters } from "../../protocol/parameters.ts";
import type { Browser } from "../../issuer/sessions/browsers.ts";
import { checkFormToken, knownBrowser } from "../../issuer/sessions/browsers.ts";
import type { Context } from "../../issuer/context.ts";
import type { Waiting } from "../../issuer/requests/interactions.ts";
import { findInteraction } from "../../issuer/requests/interactions.ts";
import type { SignedIn } from "../../issuer/sessions/sessions.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";

/** A form of a page of an interaction, after it was found to come from that page. */
export interface InteractionForm {
  waiting: Waiting;
  browser: Browser;
  form: Parameters;
  signedIn?: SignedIn;
}

/** Takes a form: of this browser, for this interaction and step, and for whoever was signed in when the page was shown. */
export async function takeForm(
  ctx: Context,
  request: Request,
  id: string,
  step: "sign-in" | "account" | "consent",
): Promise<InteractionForm> {
  const browser = await knownBrowser(ctx, request);
  const waiting = await findInteraction(ctx, id, browser);
  const form = await readForm(request);
  const signedIn = await findSession(ctx, request);
  await checkFormToken(browser, formPurpose(step, id, step === "sign-in" ? undefined : signedIn?.session.sid), form);
  return { waiting, browser: browser!, form, signedIn };
}

/** What a form is for. One that was made for one account does nothing once another one is signed in. */
export function formPurpose(step: "sign-in" | "account" | "consent", id: string, sid = ""): string {
  return `${step} ${id} ${sid}`;
}
