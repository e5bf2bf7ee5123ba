import { redirect } from "../http/answer.ts";
import { readForm, readQuery } from "../http/body.ts";
import type { AuthorizationRequest } from "../protocol/authorization_request.ts";
import { readAuthorizationRequest, readClientId, readReplyTo } from "../protocol/authorization_request.ts";
import { OAuthError, replyingTo } from "../protocol/oauth_error.ts";
import type { Parameters } from "../protocol/parameters.ts";
import { recogniseBrowser } from "../issuer/browsers.ts";
import { findClient } from "../issuer/clients.ts";
import type { Context } from "../issuer/context.ts";
import { after } from "../issuer/context.ts";
import { beginInteraction } from "../issuer/interactions.ts";
import { randomSecret } from "../issuer/random.ts";
import { findSession } from "../issuer/sessions.ts";
import { answerWithCode, decideStep } from "./decide_step.ts";
import { interactionPath } from "./interaction_pages.ts";

/** A client sends a person's browser here to ask for something (OAuth 2.1, section 4.1.1). */
export async function authorize(ctx: Context, request: Request): Promise<Response> {
  return await proceed(ctx, request, await readRequest(ctx, readQuery(request)));
}

/** A request by POST is kept, then fetched by GET: only that brings the `SameSite=Lax` cookies along. */
export async function authorizeByPost(ctx: Context, request: Request): Promise<Response> {
  const asked = await readRequest(ctx, await readForm(request));
  return await replyingTo(asked.replyTo, async () => {
    const id = randomSecret();
    await ctx.records.keptRequests.put(id, asked, after(ctx, ctx.config.lifetimes.interaction));
    return redirect(`${ctx.config.base}/oauth2/authorize/${id}`);
  });
}

/** Goes on with a request that came by POST. */
export async function authorizeKept(ctx: Context, request: Request, id: string): Promise<Response> {
  const kept = await ctx.records.keptRequests.get(id);
  if (!kept) throw new OAuthError("invalid_request", "This request has expired. Go back to the application and start again.");
  return await proceed(ctx, request, kept.value);
}

/** Checks who asks, and where the answer goes, before anything else: until then nothing may be redirected. */
async function readRequest(ctx: Context, parameters: Parameters): Promise<AuthorizationRequest> {
  const client = await findClient(ctx, readClientId(parameters));
  if (!client) throw new OAuthError("invalid_request", "The client_id is not known here.", { see: "OAuth 2.1, section 4.1.2.1" });
  const replyTo = readReplyTo(parameters, client);
  return await replyingTo(replyTo, () => readAuthorizationRequest(parameters, client, replyTo, ctx.config.resources));
}

/** Answers at once where nothing is left to ask; otherwise sends the browser to the page that asks. */
async function proceed(ctx: Context, request: Request, asked: AuthorizationRequest): Promise<Response> {
  return await replyingTo(asked.replyTo, async () => {
    const signedIn = await findSession(ctx, request);
    const decision = await decideStep(ctx, { asked, signedIn });
    if (decision.step === "answer") return await answerWithCode(ctx, decision);
    const browser = await recogniseBrowser(ctx, request);
    const id = await beginInteraction(ctx, asked, browser);
    return redirect(interactionPath(ctx, id), browser.headers);
  });
}
