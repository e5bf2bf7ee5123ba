import { mayRedirectError } from "../../protocol/client_trust.ts";
import type { OAuthError } from "../../protocol/oauth_error.ts";
import { wireError } from "../../protocol/oauth_error.ts";
import { receiverOf } from "../../protocol/redirect_uri.ts";
import type { RedirectedError } from "../../protocol/redirected_error.ts";
import type { ReplyTo } from "../../protocol/reply.ts";
import { replyLocation } from "../../protocol/reply.ts";
import type { Context } from "../../issuer/context.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import type { Onward } from "../../pages/error.tsx";
import { refuseWithPage } from "./refuse.ts";
import { completeReply, sendReply } from "./reply.ts";

/** Tells a client of an error: by redirect where that is safe, otherwise by a page whose link the person may follow. */
export async function replyWithError(
  ctx: Context,
  request: Request,
  { replyTo: to, wasAnswered }: RedirectedError,
  error: OAuthError,
): Promise<Response> {
  const { hints, errorsAfterSignIn } = ctx.settings;
  // A store that fails shows the error on our page, which needs none.
  const signedIn = errorsAfterSignIn && await findSession(ctx, request).catch(() => undefined) !== undefined;
  if (!wasAnswered && mayRedirectError(to, { signedIn, onlyAfterSignIn: errorsAfterSignIn })) {
    return await sendReply(ctx, to, wireError(error, hints));
  }
  return refuseWithPage(ctx, error, { ...await onward(ctx, to, error), wasAnswered });
}

async function onward(ctx: Context, to: ReplyTo, error: OAuthError): Promise<Onward> {
  const members = await completeReply(ctx, to, wireError(error));
  const receiver = receiverOf(to.redirectUri);
  if (to.mode === "form_post") return { receiver, action: to.redirectUri, members };
  return { receiver, href: replyLocation(to, members) };
}
