import { readClientMetadata } from "../../config/client_metadata.ts";
import { narrowMetadata } from "../../config/narrow_client_metadata.ts";
import { cacheLifetime } from "../../http/cache_lifetime.ts";
import { isTemporary, OutboundError } from "../../http/outbound_fetch.ts";
import type { Client, ClientMetadata } from "../../model/client.ts";
import { isClientIdUrl } from "../../protocol/client_id_url.ts";
import { errorFactory, OAuthError } from "../../protocol/oauth_error.ts";
import { day, minute } from "../../util/duration.ts";
import type { Context } from "../context.ts";
import { isTooMany } from "../limits/budget.ts";
import type { ChargeFetch } from "../limits/fetch_budgets.ts";
import { fetchJson } from "../outbound_requests.ts";
import { fromNow } from "../time.ts";
import { replaceClientDocument } from "./document_cache.ts";
import { makeUntrustedClient, metadataForLevel } from "./untrusted_client.ts";

const invalidClientMetadata = errorFactory("invalid_client_metadata");

/** How long a document is fresh, whatever its site asks for, in seconds. */
const lifetime = { min: 1 * minute, max: 1 * day, byDefault: 5 * minute };
/** How long a document stays usable while its site fails: an outage must not end sessions. */
const usableFor = 1 * day;
/** The draft recommends 5 kB (section 8.7); a document that holds keys needs more. */
const maxDocumentBytes = 10 * 1024;

/**
 * Finds a client whose id is the URL of its metadata (OAuth Client ID Metadata Document, section
 * 5), if its document was stored or fetched before. Existing tokens depend on this function, so
 * lookups of others must not affect it.
 */
export async function findDocumentClient(ctx: Context, id: string): Promise<Client | undefined> {
  if (!mayBeDocument(ctx, id)) return undefined;
  const stored = await ctx.records.clientDocuments.find(id);
  if (stored) return await currentVersion(ctx, id, stored, ctx.fetchBudgets.chargeReread);
  const cached = ctx.documents.get(id);
  return isFresh(ctx, cached) ? cached : undefined;
}

/** Finds a client that a request names. The sender pays for fetching an unknown document. */
export async function lookUpDocumentClient(
  ctx: Context,
  request: Request,
  id: string,
): Promise<Client | undefined> {
  if (!mayBeDocument(ctx, id)) return undefined;
  const stored = await ctx.records.clientDocuments.find(id);
  if (stored) return await currentVersion(ctx, id, stored, ctx.fetchBudgets.chargeReread);
  const cached = ctx.documents.get(id);
  const chargeFetch: ChargeFetch = (url) =>
    ctx.fetchBudgets.chargeLookup(url, ctx.addressOf(request));
  return await currentVersion(ctx, id, isUsable(ctx, cached) ? cached : undefined, chargeFetch);
}

function mayBeDocument({ settings }: Context, id: string): boolean {
  return settings.clientMetadataDocuments && isClientIdUrl(id, settings.privateFetches);
}

function isFresh(ctx: Context, client: Client | undefined): boolean {
  return client?.document !== undefined && client.document.freshUntil > ctx.now();
}

function isUsable(ctx: Context, client: Client | undefined): boolean {
  return client?.document !== undefined && client.document.readAt + usableFor * 1000 > ctx.now();
}

/** Returns the client as it was last read if that is fresh, or as its document describes it now. */
async function currentVersion(
  ctx: Context,
  id: string,
  lastRead: Client | undefined,
  chargeFetch: ChargeFetch,
): Promise<Client | undefined> {
  if (isFresh(ctx, lastRead)) return lastRead;
  if (lastRead && ctx.documents.hasJustFailed(id)) {
    return isUsable(ctx, lastRead) ? lastRead : undefined;
  }
  try {
    return await ctx.documents.read(
      id,
      () => chargeFetch(id),
      () => readDocument(ctx, id, chargeFetch),
    );
  } catch (cause) {
    return await afterFailure(ctx, id, lastRead, cause);
  }
}

/** A client is not to blame for our own limits or a failing network. Any other failure ends it. */
async function afterFailure(
  ctx: Context,
  id: string,
  lastRead: Client | undefined,
  cause: unknown,
): Promise<Client | undefined> {
  if (isTooMany(cause) && lastRead) return lastRead;
  if (isTemporary(cause)) return isUsable(ctx, lastRead) ? lastRead : undefined;
  if (!describesNoClient(cause)) throw cause;
  ctx.documents.delete(id);
  if (lastRead) await ctx.records.clientDocuments.delete(id);
  return undefined;
}

/** Whether the site responded with something that does not describe a client. */
function describesNoClient(cause: unknown): boolean {
  return cause instanceof OutboundError || (cause instanceof OAuthError && cause.status === 400);
}

async function readDocument(ctx: Context, id: string, chargeFetch: ChargeFetch): Promise<Client> {
  const { document, headers } = await fetchJson(ctx, {
    what: "client metadata",
    url: id,
    trusted: false,
    maxBytes: maxDocumentBytes,
  });
  const freshUntil = fromNow(ctx, cacheLifetime(headers, lifetime));
  try {
    const described = await makeClient(ctx, id, document, chargeFetch);
    const client = { ...described, document: { readAt: ctx.now(), freshUntil } };
    await replaceClientDocument(ctx.records, client);
    return client;
  } catch (cause) {
    if (cause instanceof OAuthError) {
      ctx.emit({ type: "outside.failed", what: "client metadata", url: id, reason: cause.message });
    }
    throw cause;
  }
}

/** A document describes its own URL only, and cannot hold a shared secret (section 4). */
async function makeClient(
  ctx: Context,
  id: string,
  document: unknown,
  chargeFetch: ChargeFetch,
): Promise<Client> {
  const described: ClientMetadata = Object(document);
  if (described.client_id !== id) {
    throw invalidClientMetadata("Its client_id is not the URL at which it was found.");
  }
  if (hasSharedSecret(described)) {
    throw invalidClientMetadata("A client that is described in public cannot have a secret.");
  }
  const server = metadataForLevel(ctx, "untrusted");
  const metadata = readClientMetadata(narrowMetadata(described, server), server, "none");
  return await makeUntrustedClient(ctx, { id, level: "untrusted" }, metadata, chargeFetch);
}

function hasSharedSecret(metadata: ClientMetadata): boolean {
  return "client_secret" in metadata || "client_secret_expires_at" in metadata ||
    /^client_secret/.test(String(metadata.token_endpoint_auth_method));
}
