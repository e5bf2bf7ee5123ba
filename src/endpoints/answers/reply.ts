import type { HeaderList } from "../../http/answer.ts";
import { redirect } from "../../http/answer.ts";
import type { ReplyMembers, ReplyTo } from "../../protocol/reply.ts";
import { replyLocation } from "../../protocol/reply.ts";
import { signResponse } from "../../issuer/requests/authorization_responses.ts";
import type { Context } from "../../issuer/context.ts";
import { frame, showPage } from "./show_page.ts";

/** Sends an authorization response, with the `iss` that keeps clients from mixing servers up (RFC 9207). */
export async function sendReply(ctx: Context, to: ReplyTo, members: ReplyMembers, headers: HeaderList = []): Promise<Response> {
  const all = await completeReply(ctx, to, members);
  if (to.mode !== "form_post") return redirect(replyLocation(to, all), headers);
  return showPage(ctx.settings.pages.formPost({ ...frame(ctx), redirectUri: to.redirectUri, members: all }), 200, headers);
}

/** What every authorization response holds besides; signed, where the client wants it so (JARM, section 2.1). */
export async function completeReply(ctx: Context, { state, signedFor }: ReplyTo, members: ReplyMembers): Promise<ReplyMembers> {
  const plain = { ...members, state, iss: ctx.settings.issuer };
  return signedFor ? { response: await signResponse(ctx, plain, signedFor) } : plain;
}
