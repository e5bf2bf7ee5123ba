import { pathBelow } from "../../config/endpoint_paths.ts";
import { readForm, readQuery } from "../../http/incoming_request.ts";
import type { SignedInUser } from "../../issuer/active_features.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { findInteraction, type PendingInteraction } from "../../issuer/requests/interactions.ts";
import { checkFormToken, findBrowser } from "../../issuer/sessions/browsers.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { languageQuery } from "../responses/page_response.ts";

/** The step of an interaction that a form belongs to, as its path names it. */
export type FormStep = "sign-in" | "account" | "consent";

/** Reads a form and checks that it was made for this browser, interaction, step and user. */
export async function readInteractionForm(
  ctx: RequestContext,
  id: string,
  step: FormStep,
): Promise<{
  interaction: PendingInteraction;
  form: FormParameters;
  signedIn: SignedInUser | undefined;
}> {
  const interaction = await findInteraction(ctx, id, await findBrowser(ctx));
  const form = await readForm(ctx);
  const signedIn = await findSession(ctx);
  const sid = step === "sign-in" ? undefined : signedIn?.session.sid;
  await checkFormToken(ctx, interaction.browser, formPurpose(step, id, sid), form);
  return { interaction, form, signedIn };
}

/**
 * Returns the purpose of a form. A form made for one account does nothing once another is signed
 * in.
 */
export function formPurpose(step: FormStep, id: string, sid = ""): string {
  return `${step} ${id} ${sid}`;
}

/** Returns the path of an interaction, or of the form of one of its steps. */
export function interactionPath(
  ctx: Context,
  { id, pending }: Pick<PendingInteraction, "id" | "pending">,
  step?: FormStep,
): string {
  const { base, paths } = ctx.settings;
  const page = base + pathBelow(paths.interaction, id);
  const path = step ? pathBelow(page, step) : page;
  return path + languageQuery(pending.uiLocales);
}

/** The parameter of the path of a consent form. */
const askedParameter = "asked";

/**
 * Returns the path of the form of a consent page. With a policy, the path identifies the scope that
 * the page shows: the policy may permit more of it by the time that the user presses the button.
 */
export async function consentPath(
  ctx: Context,
  id: string,
  pending: PendingRequest,
): Promise<string> {
  const path = interactionPath(ctx, { id, pending }, "consent");
  if (!ctx.settings.policies.scope) return path;
  const asked = `${askedParameter}=${await scopeHash(pending)}`;
  return `${path}${path.includes("?") ? "&" : "?"}${asked}`;
}

/** Whether a consent form came from a page that showed this scope. */
export async function showedScope(ctx: RequestContext, pending: PendingRequest): Promise<boolean> {
  if (!ctx.settings.policies.scope) return true;
  return readQuery(ctx).get(askedParameter) === await scopeHash(pending);
}

async function scopeHash({ scope }: PendingRequest): Promise<string> {
  return await sha256(scope.join(" "));
}

/** Whether a form was sent by its button "Cancel". */
export function isCanceled(form: FormParameters): boolean {
  return form.get("decision") === "cancel";
}
