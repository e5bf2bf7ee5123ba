import { OutboundError } from "../../http/outbound_fetch.ts";
import { type Context, serverPart } from "../../issuer/context.ts";
import { createBudget, takeAll } from "../../issuer/limits/budget.ts";
import { createFairCache } from "../../issuer/limits/fair_cache.ts";
import { limitExceeded, limitRules } from "../../issuer/limits/limit_rules.ts";
import { createSharedFetches, fetchShared } from "../../issuer/limits/shared_fetches.ts";
import { fetchText, reportFailure } from "../../issuer/outbound_requests.ts";
import { verifyRequestObject } from "../../issuer/requests/resolve_request.ts";
import type { Client } from "../../model/client.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import type { JwtClaims } from "../../protocol/jwt.ts";
import { requestObjectParameters } from "../../protocol/request_delivery.ts";
import { requireValue, ruleSet } from "../../protocol/rule.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { heldBytes, megabyte } from "../../util/values/bounded_map.ts";

/** RFC 9101, section 5.2.3, names the first two; OpenID Connect Core names none. */
const mediaTypes = ["application/oauth-authz-req+jwt", "application/jwt", "text/plain"];

/** How often the objects of one client are fetched, compared with those for one sender. */
const clientFactor = 10;

const maxCachedBytes = 4 * megabyte;

const about = {
  see: "OpenID Connect Core, section 6.2",
  parameter: "request_uri",
  error: "invalid_request_uri",
} as const;

const requestUriRules = ruleSet("request_uri", about, {
  readable: {
    title: "The request_uri must lead to a valid request object, which the client signed",
    fix: `Serve a signed request object as ${mediaTypes[0]}. The log has the reason.`,
    // Only the log has the reason: anyone can make this server send the request.
    holds: ({ claims }: { claims: JwtClaims | undefined }) => claims !== undefined,
  },
});

const requestObjects = serverPart(({ now, settings: { documentsPerMinute } }) => ({
  /** Objects that the fragments of their URIs are the hashes of. */
  cached: createFairCache<string>(maxCachedBytes),
  /** The fetches in progress, by the URI. */
  pending: createSharedFetches<Promise<string>>(),
  ofSender: createBudget(now, documentsPerMinute),
  ofClient: createBudget(now, documentsPerMinute * clientFactor),
}));

/** Reads the parameters of a request from the object that its `request_uri` refers to. */
export async function readReferredRequest(
  ctx: Context,
  client: Client,
  uri: string,
): Promise<FormParameters> {
  const claims = await readClaims(ctx, client, uri);
  return requestObjectParameters(
    requireValue(ctx.apply, requestUriRules.readable, { claims }, claims),
  );
}

async function readClaims(
  ctx: Context,
  client: Client,
  uri: string,
): Promise<JwtClaims | undefined> {
  const object = await findObject(ctx, client, uri);
  if (object === undefined) return undefined;
  const { claims, problem } = await verifyRequestObject(ctx, client, object);
  if (problem !== undefined) reportFailure(ctx, targetOf(ctx, uri), new OutboundError(problem));
  return claims;
}

/** Returns what is cached, is being fetched or can be fetched; undefined if that fails. */
async function findObject(ctx: Context, client: Client, uri: string): Promise<string | undefined> {
  const { cached, pending, ofSender, ofClient } = requestObjects(ctx);
  const { sender } = ctx;
  const pay = () => {
    if (takeAll([() => ofSender.take(sender), () => ofClient.take(client.id)])) return;
    throw limitExceeded(limitRules.fetches);
  };
  const fetch = () => fetchObject(ctx, uri);
  try {
    return cached.get(uri) ?? await fetchShared(pending, [uri, sender], pay, fetch);
  } catch (cause) {
    if (cause instanceof OutboundError) return undefined;
    throw cause;
  }
}

/** Fetches an object, and caches it if the fragment of the URI is its hash: it never changes. */
async function fetchObject(ctx: Context, uri: string): Promise<string> {
  const object = await fetchText(ctx, targetOf(ctx, uri), mediaTypes);
  const [, fragment] = uri.split("#");
  if (fragment === await sha256(object)) {
    const cost = { bytes: heldBytes(object), sender: ctx.sender };
    requestObjects(ctx).cached.set(uri, object, cost);
  }
  return object;
}

/** Always through the guarded fetch: anyone can make this server send the request. */
function targetOf({ sender }: Context, uri: string) {
  const [url = ""] = uri.split("#", 1);
  return { purpose: "request object", url, trusted: false, sender };
}
