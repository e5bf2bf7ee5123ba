import type { Parameters } from "../../protocol/parameters.ts";
import { replyingTo } from "../../protocol/redirected_error.ts";
import type { Context } from "../../issuer/context.ts";
import type { Waiting } from "../../issuer/requests/interactions.ts";
import { finishInteraction } from "../../issuer/requests/interactions.ts";
import { clientOf } from "./client_of.ts";
import { deny } from "./conclude.ts";

/** Whether a form was sent by its button "Cancel". */
export function isCanceled(form: Parameters): boolean {
  return form.get("decision") === "cancel";
}

/**
 * Ends a request that its person gave up, and tells the client, which would wait for ever
 * otherwise.
 */
export async function cancel(ctx: Context, request: Request, waiting: Waiting): Promise<Response> {
  const { asked } = waiting;
  const client = await clientOf(ctx, request, asked);
  await finishInteraction(ctx, waiting);
  ctx.emit({ type: "request.canceled", client: client.id });
  return await replyingTo(asked.replyTo, () => deny(ctx, { client, asked }));
}
