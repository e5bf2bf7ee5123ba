import { isTemporary, OutboundError } from "../../http/outbound_fetch.ts";
import { storedClientProblems } from "../../issuer/clients/stored_clients.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { isTooMany } from "../../issuer/limits/budget.ts";
import type { FetchPayer } from "../../issuer/limits/fetch_budgets.ts";
import { randomId } from "../../issuer/random.ts";
import { lastSessionExpiration } from "../../issuer/time.ts";
import type { Client } from "../../model/client.ts";
import { OAuthError } from "../../protocol/oauth_error.ts";
import { day } from "../../util/time/duration.ts";
import { documentCache } from "./document_cache.ts";
import { documentTables } from "./stored_documents.ts";

/**
 * How long a document stays usable while its site fails, in milliseconds: an outage must not end
 * sessions.
 */
const usableFor = 1 * day * 1000;

/**
 * Finds a client whose id is the URL of its metadata (OAuth Client ID Metadata Document, section
 * 5), if its document was stored or fetched before. Existing tokens depend on this function, so
 * lookups of others must not affect it. A document that is hosted here is read without a fetch.
 */
export async function findDocumentClient(ctx: Context, id: string): Promise<Client | undefined> {
  return await withEpoch(ctx, id, async (stored) => {
    if (stored) return await rereadDocument(ctx, id, stored);
    const cached = documentCache(ctx).get(id);
    if (isFresh(ctx, cached)) return cached;
    if (!ctx.hooks.hostedDocuments?.has(id)) return undefined;
    return await currentVersion(ctx, id, undefined, freeOfCharge(undefined));
  });
}

/** Finds a client that a request names. Fetching an unknown document costs its sender's budget. */
export async function lookUpDocumentClient(
  ctx: RequestContext,
  id: string,
): Promise<Client | undefined> {
  return await withEpoch(ctx, id, async (stored) => {
    if (stored) return await rereadDocument(ctx, id, stored);
    const cached = documentCache(ctx).get(id);
    const payer = ctx.limits.fetches.lookup(ctx.sender);
    return await currentVersion(ctx, id, isUsable(ctx, cached) ? cached : undefined, payer);
  });
}

/** Whether an id is that of a client that was stored or read before. Fetches nothing. */
export async function isKnownDocument(ctx: Context, id: string): Promise<boolean> {
  const isCached = documentCache(ctx).get(id) !== undefined;
  return isCached || await documentTables(ctx).clients.get(id) !== undefined;
}

/**
 * Gives a client the epoch that began when its document disappeared. The epoch has a separate row,
 * so that a concurrent read or write of the document cannot overwrite it.
 */
async function withEpoch(
  ctx: Context,
  id: string,
  find: (stored: Client | undefined) => Promise<Client | undefined>,
): Promise<Client | undefined> {
  const [stored, begun] = await Promise.all([
    documentTables(ctx).clients.find(id),
    documentTables(ctx).epochs.find(id),
  ]);
  const epoch = begun ?? stored?.epoch;
  const client = await find(stored);
  return client && { ...client, ...epoch !== undefined && { epoch } };
}

function isFresh(ctx: Context, client: Client | undefined): boolean {
  return (client?.document?.freshUntil ?? 0) > ctx.now() && isUsable(ctx, client);
}

/** The profile or the features of the server may be newer than what it read. */
function isUsable(ctx: Context, client: Client | undefined): boolean {
  return client?.document !== undefined && client.document.readAt + usableFor > ctx.now() &&
    storedClientProblems(ctx.settings, client).length === 0;
}

/** Returns a stored client. The sender of the current request pays if it has to be read again. */
async function rereadDocument(
  ctx: Context,
  id: string,
  stored: Client,
): Promise<Client | undefined> {
  const payer = isUsable(ctx, stored)
    ? ctx.limits.fetches.reread(ctx.sender)
    : freeOfCharge(ctx.sender);
  return await currentVersion(ctx, id, stored, payer);
}

/** Returns the client as it was last read if that is fresh, or as its document describes it now. */
async function currentVersion(
  ctx: Context,
  id: string,
  lastRead: Client | undefined,
  payer: FetchPayer,
): Promise<Client | undefined> {
  if (isFresh(ctx, lastRead)) return lastRead;
  if (lastRead && documentCache(ctx).hasJustFailed(id)) {
    return isUsable(ctx, lastRead) ? lastRead : undefined;
  }
  try {
    return await documentCache(ctx).read(id, payer);
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
  const isOurLimit = isTooMany(cause) && lastRead !== undefined;
  if (isOurLimit || isTemporary(cause)) return isUsable(ctx, lastRead) ? lastRead : undefined;
  if (!describesNoClient(cause)) throw cause;
  documentCache(ctx).delete(id);
  await endDocumentClient(ctx, id);
  return undefined;
}

/**
 * Ends everything that was issued to a client, even if its document comes back. Without a stored
 * document, nothing was issued: lookups alone must not fill the store.
 */
async function endDocumentClient(ctx: Context, id: string): Promise<void> {
  const { epochs, clients } = documentTables(ctx);
  if (!await clients.get(id)) return;
  await epochs.put(id, randomId(ctx), lastSessionExpiration(ctx));
  await clients.delete(id);
}

/** Whether the site responded with something that does not describe a client. */
function describesNoClient(cause: unknown): boolean {
  return cause instanceof OutboundError || (cause instanceof OAuthError && cause.status === 400);
}

/**
 * Returns a payer whose fetches cost nothing. A stored document that was not read for a day must be
 * read even if all budgets are used up: its owner may have withdrawn it.
 */
export function freeOfCharge(sender: string | undefined): FetchPayer {
  return { sender, charge: () => {} };
}
