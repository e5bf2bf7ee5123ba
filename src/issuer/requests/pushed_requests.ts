import type { Client } from "../../model/client.ts";
import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import { errorFactory } from "../../protocol/oauth_error.ts";
import { checkStillAllowed } from "../../protocol/pending_request.ts";
import { pushedRequestUri } from "../../protocol/request_delivery.ts";
import { sha256 } from "../../util/hash.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import { fromNow } from "../time.ts";

const invalidRequestUri = errorFactory("invalid_request_uri", "RFC 9126, section 4");

/** A validated authorization request, and the client that makes it. */
export interface ResolvedRequest {
  client: Client;
  authorizationRequest: AuthorizationRequest;
  /** The id under which it is stored, if it was pushed. */
  pushedId?: string;
}

/** Stores a validated request and returns its `request_uri` (RFC 9126, section 2.2). */
export async function pushRequest(
  ctx: Context,
  authorizationRequest: AuthorizationRequest,
  lifetime: number,
): Promise<string> {
  const handle = randomSecret(ctx);
  const { interaction } = ctx.settings.lifetimes;
  // A user who starts at the last moment has as much time as any other, and consumes the row last.
  await ctx.records.pushedRequests.put(
    await sha256(handle),
    { authorizationRequest, until: fromNow(ctx, lifetime) },
    fromNow(ctx, lifetime + interaction),
  );
  return pushedRequestUri(handle);
}

/**
 * Finds a request that its client pushed. It can be loaded repeatedly until it is consumed. The
 * client may have changed since, and no longer trust the redirect URI.
 */
export async function findPushedRequest(
  ctx: Context,
  client: Client,
  handle: string,
): Promise<ResolvedRequest> {
  const pushedId = await sha256(handle);
  const row = await ctx.records.pushedRequests.get(pushedId);
  const unused = row?.usedAt === undefined ? row?.value : undefined;
  if (unused && unused.until > ctx.now() && unused.authorizationRequest.clientId === client.id) {
    const { authorizationRequest } = unused;
    return {
      client: checkStillAllowed(authorizationRequest, client),
      authorizationRequest,
      pushedId,
    };
  }
  throw invalidRequestUri(
    "This request is unknown, expired or already completed. Start again at the application.",
    { isExpired: true },
  );
}
