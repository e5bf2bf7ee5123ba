import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import type { Client } from "../../protocol/client.ts";
import { sha256 } from "../../protocol/digest.ts";
import { OAuthError } from "../../protocol/oauth_error.ts";
import { requestUri } from "../../protocol/request_delivery.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import { after } from "../time.ts";

/** Keeps a request that is in order, so long that it can be begun; gives back its `request_uri` (RFC 9126, section 2.2). */
export async function pushRequest(ctx: Context, asked: AuthorizationRequest, lifetime: number): Promise<string> {
  const handle = randomSecret(ctx);
  const { interaction } = ctx.settings.lifetimes;
  // Whoever begins at the last moment takes as long as everybody else, and uses it up only then.
  await ctx.records.pushedRequests.put(await sha256(handle), { asked, until: after(ctx, lifetime) }, after(ctx, lifetime + interaction));
  return requestUri(handle);
}

/** Finds a request that its client pushed. It can be loaded again and again until it is answered. */
export async function findPushed(ctx: Context, client: Client, handle: string): Promise<{ asked: AuthorizationRequest; pushed: string }> {
  const pushed = await sha256(handle);
  const row = await ctx.records.pushedRequests.get(pushed);
  if (row && row.usedAt === undefined && row.value.until > ctx.now() && row.value.asked.clientId === client.id) {
    return { asked: row.value.asked, pushed };
  }
  throw new OAuthError(
    "invalid_request_uri",
    "This request is not known here, or it has expired, or it was answered already. Go back to the application and start again.",
    { see: "RFC 9126, section 4" },
  );
}
