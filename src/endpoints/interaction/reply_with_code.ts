import { issueCode } from "../../issuer/codes.ts";
import type { Context } from "../../issuer/context.ts";
import { sendReply } from "../reply.ts";
import type { PersonDecision } from "./decide_step.ts";

/** Ends a request: the client gets its code. */
export async function replyWithCode(ctx: Context, { client, asked, signedIn }: PersonDecision): Promise<Response> {
  return await sendReply(ctx, asked.replyTo, { code: await issueCode(ctx, client, asked, signedIn) });
}
