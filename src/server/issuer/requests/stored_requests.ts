import type { Client } from "../../model/client.ts";
import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import { checkStillAllowed } from "../../protocol/pending_request.ts";
import { storedRequestUri } from "../../protocol/request_delivery.ts";
import { requireValue, ruleSet } from "../../protocol/rule.ts";
import type { Row } from "../../store/store.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import type { StoredRequest } from "../records/rows.ts";
import { fromNow } from "../time.ts";

const about = {
  see: "RFC 9126, section 4",
  parameter: "request_uri",
  error: "invalid_request_uri",
} as const;

const requestUriRules = ruleSet("request_uri", about, {
  usable: {
    title: "The request_uri must be that of an unused, current request of this client",
    // Users see it.
    message:
      "This request is unknown, expired or already completed. Start again at the application.",
    details: { isExpired: true },
    fix: "Push each request anew, and redirect the browser to its request_uri at once.",
    holds: ({ request, isUsed, clientId, now }: {
      request: { until: number; authorizationRequest: AuthorizationRequest } | undefined;
      isUsed: boolean;
      clientId: string;
      now: number;
    }) =>
      request !== undefined && !isUsed && request.until > now &&
      request.authorizationRequest.clientId === clientId,
    expected: () => "an unused, current request_uri of this client",
    received: ({ request, isUsed, now }) => {
      if (!request) return "an unknown one";
      if (isUsed) return "one that was completed";
      return request.until > now ? "one of this or another client" : "one that has expired";
    },
  },
});

/** A validated authorization request, and the client that makes it. */
export interface ResolvedRequest {
  client: Client;
  authorizationRequest: AuthorizationRequest;
  /** The id under which it is stored, if it was pushed or came by POST. */
  pushedId?: string;
}

/** Stores a validated request and returns its `request_uri` (RFC 9126, section 2.2). */
export async function storeRequest(
  ctx: Context,
  authorizationRequest: AuthorizationRequest,
  lifetime: number,
): Promise<string> {
  const handle = randomSecret(ctx);
  const pushedId = await sha256(handle);
  const { interaction } = ctx.settings.lifetimes;
  // A user who starts at the last moment has as much time as any other, and consumes the row last.
  await ctx.records.storedRequests.put(
    pushedId,
    { authorizationRequest, until: fromNow(ctx, lifetime) },
    fromNow(ctx, lifetime + interaction),
  );
  ctx.note({ pushedRequest: pushedId });
  return storedRequestUri(handle);
}

/**
 * Finds the stored request of a client. It can be loaded repeatedly until it is consumed. The
 * client may have changed since, and no longer trust the redirect URI.
 */
export async function requireStoredRequest(
  ctx: Context,
  client: Client,
  handle: string,
): Promise<ResolvedRequest> {
  const pushedId = await sha256(handle);
  const row = await findStoredRequest(ctx, pushedId);
  const request = row?.value;
  const isUsed = row?.usedAt !== undefined;
  const facts = { request, isUsed, clientId: client.id, now: ctx.now() };
  const usable = requireValue(ctx.apply, requestUriRules.usable, facts, request);
  const { authorizationRequest } = usable;
  return {
    client: checkStillAllowed(ctx.apply, {
      pending: authorizationRequest,
      client,
      polledBy: undefined,
    }),
    authorizationRequest,
    pushedId,
  };
}

/** Finds the row of a stored request, and notes what it concerns. */
export async function findStoredRequest(
  ctx: Context,
  pushedId: string,
): Promise<Row<StoredRequest> | undefined> {
  const row = await ctx.records.storedRequests.get(pushedId);
  if (row) ctx.note({ pushedRequest: pushedId });
  return row;
}
