import { redirect } from "../http/answer.ts";
import { readForm } from "../http/body.ts";
import { OAuthError, replyingTo } from "../protocol/oauth_error.ts";
import { checkFormToken, recogniseBrowser } from "../issuer/browsers.ts";
import { rememberConsent } from "../issuer/consents.ts";
import type { Context } from "../issuer/context.ts";
import { findInteraction } from "../issuer/interactions.ts";
import { findSession } from "../issuer/sessions.ts";
import { answerWithCode, decideStep } from "./decide_step.ts";
import { formPurpose, interactionPath } from "./interaction_pages.ts";

/** Takes the person's answer: only "allow" allows. */
export async function consent(ctx: Context, request: Request, id: string): Promise<Response> {
  const browser = await recogniseBrowser(ctx, request);
  const { request: asked, chosen } = await findInteraction(ctx, id, browser);
  const form = await readForm(request);
  const signedIn = await findSession(ctx, request);
  await checkFormToken(browser, formPurpose("consent", id, signedIn?.session.sid), form);
  return await replyingTo(asked.replyTo, async () => {
    const decision = await decideStep(ctx, { asked, chosen, signedIn, allowed: true });
    if (decision.step !== "answer") return redirect(interactionPath(ctx, id));
    const { user } = decision.signedIn;
    const client = decision.client.id;
    if (form.get("decision") !== "allow") {
      ctx.emit({ type: "consent.denied", user: user.name, client });
      throw new OAuthError("access_denied", "The user did not allow this.");
    }
    await rememberConsent(ctx, user, decision.client, asked.scope);
    ctx.emit({ type: "consent.given", user: user.name, client, scope: asked.scope });
    return await answerWithCode(ctx, decision);
  });
}
