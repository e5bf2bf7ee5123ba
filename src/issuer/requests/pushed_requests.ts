import type { Client } from "../../model/client.ts";
import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import { errorFactory } from "../../protocol/oauth_error.ts";
import { pushedRequestUri } from "../../protocol/request_delivery.ts";
import { sha256 } from "../../util/hash.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import { after } from "../time.ts";

const invalidRequestUri = errorFactory("invalid_request_uri", "RFC 9126, section 4");

/** Keeps a request that is in order, so long that it can be begun; gives back its `request_uri` (RFC 9126, section 2.2). */
export async function pushRequest(
  ctx: Context,
  authorizationRequest: AuthorizationRequest,
  lifetime: number,
): Promise<string> {
  const handle = randomSecret(ctx);
  const { interaction } = ctx.settings.lifetimes;
  // Whoever begins at the last moment takes as long as everybody else, and uses it up only then.
  await ctx.records.pushedRequests.put(
    await sha256(handle),
    { authorizationRequest, until: after(ctx, lifetime) },
    after(ctx, lifetime + interaction),
  );
  return pushedRequestUri(handle);
}

/** A request that is in order, and where it was kept if it was pushed before. */
export interface ResolvedRequest {
  authorizationRequest: AuthorizationRequest;
  pushedId?: string;
}

/** Finds a request that its client pushed. It can be loaded again and again until it is answered. */
export async function findPushed(
  ctx: Context,
  client: Client,
  handle: string,
): Promise<ResolvedRequest> {
  const pushedId = await sha256(handle);
  const row = await ctx.records.pushedRequests.get(pushedId);
  if (
    row && row.usedAt === undefined && row.value.until > ctx.now() &&
    row.value.authorizationRequest.clientId === client.id
  ) {
    return { authorizationRequest: row.value.authorizationRequest, pushedId };
  }
  throw invalidRequestUri(
    "This request is not known here, or it has expired, or it was answered already. Go back to the application and start again.",
  );
}
