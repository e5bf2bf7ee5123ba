import { redirect } from "../http/answer.ts";
import { readForm, readQuery } from "../http/body.ts";
import { replyingTo } from "../protocol/redirected_error.ts";
import type { Taken } from "../issuer/requests/authorization_requests.ts";
import { takeRequest } from "../issuer/requests/authorization_requests.ts";
import { meetBrowser } from "../issuer/sessions/browsers.ts";
import type { Context } from "../issuer/context.ts";
import { beginInteraction, finishPushed } from "../issuer/requests/interactions.ts";
import { pushRequest } from "../issuer/requests/pushed_requests.ts";
import { chargeForStorage } from "../issuer/limits/stored_bytes.ts";
import { findSession } from "../issuer/sessions/sessions.ts";
import { clientOf } from "./interaction/client_of.ts";
import { decideStep } from "./interaction/decide_step.ts";
import { interactionPath } from "./interaction/paths.ts";
import { allow } from "./interaction/conclude.ts";

/** A client sends a person's browser here to ask for something (OAuth 2.1, section 4.1.1). */
export async function authorize(ctx: Context, request: Request): Promise<Response> {
  return await proceed(ctx, request, await takeRequest(ctx, request, readQuery(request)));
}

/** A request by POST is kept, then named in a GET: only that brings the `SameSite=Lax` cookies along. */
export async function authorizeByPost(ctx: Context, request: Request): Promise<Response> {
  const parameters = await readForm(request);
  const { asked } = await takeRequest(ctx, request, parameters);
  const pushed = parameters.get("request_uri");
  if (pushed === undefined) chargeForStorage(ctx, request, asked);
  return await replyingTo(asked.replyTo, async () => {
    const request_uri = pushed ?? await pushRequest(ctx, asked, ctx.settings.lifetimes.interaction);
    return redirect(`${ctx.settings.base}/oauth2/authorize?${new URLSearchParams({ client_id: asked.clientId, request_uri })}`);
  });
}

/** Answers at once where nothing is left to ask; otherwise sends the browser to the page that asks. */
async function proceed(ctx: Context, request: Request, { asked, pushed }: Taken): Promise<Response> {
  const client = await clientOf(ctx, request, asked);
  const decision = await replyingTo(
    asked.replyTo,
    async () => decideStep(ctx, client, { asked, signedIn: await findSession(ctx, request) }),
  );
  if (decision.step === "answer" && pushed !== undefined) await finishPushed(ctx, pushed, asked);
  if (decision.step !== "answer") chargeForStorage(ctx, request, asked);
  return await replyingTo(asked.replyTo, async () => {
    if (decision.step === "answer") return await allow(ctx, decision);
    const { browser, headers } = await meetBrowser(ctx, request);
    const { id } = await beginInteraction(ctx, asked, browser, pushed);
    return redirect(interactionPath(ctx, id), headers);
  });
}
