import { OAuthError } from "../../protocol/oauth_error.ts";
import { issueCode } from "../../issuer/authorizations/codes.ts";
import type { Context } from "../../issuer/context.ts";
import { allowDevice, denyDevice } from "../../issuer/requests/devices.ts";
import { sendReply } from "../answers/reply.ts";
import { frame, showPage } from "../answers/show_page.ts";
import type { PersonDecision } from "./decide_step.ts";

/** Ends a request that was allowed: the client gets its code, or the device its answer. */
export async function allow(ctx: Context, { client, asked, signedIn }: PersonDecision): Promise<Response> {
  if (asked.replyTo) return await sendReply(ctx, asked.replyTo, { code: await issueCode(ctx, client, asked, signedIn) });
  await allowDevice(ctx, client, asked, signedIn);
  return showPage(ctx.settings.pages.deviceDone({ ...frame(ctx), clientName: client.name, allowed: true }));
}

/** Ends a request that was not. */
export async function deny(ctx: Context, { client, asked }: Pick<PersonDecision, "client" | "asked">): Promise<Response> {
  if (asked.replyTo) throw new OAuthError("access_denied", "The user did not allow this.");
  await denyDevice(ctx, asked, client);
  return showPage(ctx.settings.pages.deviceDone({ ...frame(ctx), clientName: client.name, allowed: false }));
}
