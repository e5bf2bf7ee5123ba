import { redirect } from "../../http/answer.ts";
import type { Parameters } from "../../protocol/parameters.ts";
import { replyingTo } from "../../protocol/redirected_error.ts";
import { rememberConsent } from "../../issuer/authorizations/consents.ts";
import type { Context } from "../../issuer/context.ts";
import { finishInteraction } from "../../issuer/requests/interactions.ts";
import { clientOf } from "./client_of.ts";
import { allow, deny } from "./conclude.ts";
import type { PersonDecision } from "./decide_step.ts";
import { decideStep } from "./decide_step.ts";
import { takeForm } from "./form.ts";
import { interactionPath } from "./paths.ts";

/** Takes the person's answer to "allow access?". */
export async function consent(ctx: Context, request: Request, id: string): Promise<Response> {
  const { waiting, form, signedIn } = await takeForm(ctx, request, id, "consent");
  const { replyTo } = waiting.asked;
  const client = await clientOf(ctx, request, waiting.asked);
  const decision = await replyingTo(replyTo, () => decideStep(ctx, client, { ...waiting, signedIn, allowed: true }));
  if (decision.step !== "answer") return redirect(interactionPath(ctx, id));
  await finishInteraction(ctx, waiting);
  return await replyingTo(replyTo, () => answerFor(ctx, decision, form));
}

/** Only "allow" allows. */
async function answerFor(ctx: Context, decision: PersonDecision, form: Parameters): Promise<Response> {
  const { asked, client, signedIn: { user } } = decision;
  if (form.get("decision") !== "allow") {
    ctx.emit({ type: "consent.denied", user: user.name, client: client.id });
    return await deny(ctx, decision);
  }
  if (asked.replyTo) await rememberConsent(ctx, user, client, asked);
  ctx.emit({ type: "consent.given", user: user.name, client: client.id, scope: asked.scope });
  return await allow(ctx, decision);
}
