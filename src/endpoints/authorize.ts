import { redirect } from "../http/answer.ts";
import { readForm, readQuery } from "../http/body.ts";
import type { AuthorizationRequest, KnownAs } from "../protocol/authorization_request.ts";
import { readAuthorizationRequest, readClientId, readReplyTo } from "../protocol/authorization_request.ts";
import { sha256 } from "../protocol/digest.ts";
import { OAuthError } from "../protocol/oauth_error.ts";
import type { Parameters } from "../protocol/parameters.ts";
import { replyingTo } from "../protocol/redirected_error.ts";
import { meetBrowser } from "../issuer/browsers.ts";
import { findClient } from "../issuer/clients.ts";
import type { Context } from "../issuer/context.ts";
import { readIdTokenHint } from "../issuer/id_token_hint.ts";
import { beginInteraction, finishPushed } from "../issuer/interactions.ts";
import { randomSecret } from "../issuer/random.ts";
import { findSession } from "../issuer/sessions.ts";
import { after } from "../issuer/time.ts";
import { clientOf } from "./interaction/client_of.ts";
import { decideStep } from "./interaction/decide_step.ts";
import { interactionPath } from "./interaction/paths.ts";
import { allow } from "./interaction/conclude.ts";

/** A client sends a person's browser here to ask for something (OAuth 2.1, section 4.1.1). */
export async function authorize(ctx: Context, request: Request): Promise<Response> {
  return await proceed(ctx, request, await readRequest(ctx, readQuery(request)));
}

/** A request by POST is kept, then fetched by GET: only a GET brings the `SameSite=Lax` cookies along. */
export async function authorizeByPost(ctx: Context, request: Request): Promise<Response> {
  const asked = await readRequest(ctx, await readForm(request));
  return await replyingTo(asked.replyTo, async () => {
    const handle = randomSecret(ctx);
    await ctx.records.pushedRequests.put(await sha256(handle), asked, after(ctx, ctx.settings.lifetimes.interaction));
    return redirect(`${ctx.settings.base}/oauth2/authorize/${handle}`);
  });
}

/** Goes on with a request that came by POST. */
export async function authorizePushed(ctx: Context, request: Request, handle: string): Promise<Response> {
  const pushed = await sha256(handle);
  const row = await ctx.records.pushedRequests.get(pushed);
  if (row && row.usedAt === undefined) return await proceed(ctx, request, row.value, pushed);
  throw new OAuthError(
    "invalid_request",
    "This request has expired, or it was answered already. Go back to the application and start again.",
  );
}

/** Checks who asks, and where the answer goes, before anything else: until then nothing may be redirected. */
async function readRequest(ctx: Context, parameters: Parameters): Promise<AuthorizationRequest> {
  const client = await findClient(ctx, readClientId(parameters));
  if (!client) throw new OAuthError("invalid_request", "The client_id is not known here.", { see: "OAuth 2.1, section 4.1.2.1" });
  const replyTo = readReplyTo(parameters, client);
  return await replyingTo(replyTo, async () => ({
    ...readAuthorizationRequest(parameters, client, replyTo, ctx.settings.resources),
    hint: await readHint(ctx, parameters.get("id_token_hint")),
  }));
}

async function readHint(ctx: Context, text: string | undefined): Promise<KnownAs | undefined> {
  if (text === undefined) return undefined;
  const hint = await readIdTokenHint(ctx, text);
  if (hint) return { subject: hint.subject, clientId: hint.clientId };
  throw new OAuthError("invalid_request", "The id_token_hint is not an ID token that this server issued.", {
    see: "OpenID Connect Core, section 3.1.2.1",
  });
}

/** Answers at once where nothing is left to ask; otherwise sends the browser to the page that asks. */
async function proceed(ctx: Context, request: Request, asked: AuthorizationRequest, pushed?: string): Promise<Response> {
  const client = await clientOf(ctx, asked);
  const decision = await replyingTo(
    asked.replyTo,
    async () => decideStep(ctx, client, { asked, signedIn: await findSession(ctx, request) }),
  );
  if (decision.step === "answer" && pushed !== undefined) await finishPushed(ctx, pushed);
  return await replyingTo(asked.replyTo, async () => {
    if (decision.step === "answer") return await allow(ctx, decision);
    const { browser, headers } = await meetBrowser(ctx, request);
    const { id } = await beginInteraction(ctx, asked, browser, pushed);
    return redirect(interactionPath(ctx, id), headers);
  });
}
