import { narrowMetadata, readClientMetadata } from "../../config/client_metadata.ts";
import { cacheLifetime } from "../../http/cache_lifetime.ts";
import { isTemporary, OutboundError } from "../../http/outbound_fetch.ts";
import type { Client, ClientMetadata } from "../../model/client.ts";
import { isClientIdUrl } from "../../protocol/client_id_url.ts";
import { errorFactory, OAuthError } from "../../protocol/oauth_error.ts";
import { day, minute } from "../../util/duration.ts";
import type { Context } from "../context.ts";
import type { ChargeFetch } from "../limits/fetch_budgets.ts";
import { isTooMany } from "../limits/too_many.ts";
import { fetchJson } from "../outbound_requests.ts";
import { after } from "../time.ts";
import { replaceClientDocument } from "./stored_documents.ts";
import { makeUntrustedClient, metadataForLevel } from "./untrusted_client.ts";

const invalidClientMetadata = errorFactory("invalid_client_metadata");

/** However short or long a site wants its document to be kept, in seconds. */
const lifetime = { min: 1 * minute, max: 1 * day, byDefault: 5 * minute };
/** How long a document is good for after it was read, where its site fails: that must not end everyone's sessions. */
const usableFor = 1 * day;
/** The draft recommends 5 kB (section 8.7); a document that holds keys needs more. */
const maxDocumentBytes = 10 * 1024;

/**
 * Finds a client whose id is the URL of its metadata (OAuth Client ID Metadata Document, section 5),
 * if that is known. Existing tokens are judged by this: they must not depend on what others look up.
 */
export async function findByDocument(ctx: Context, id: string): Promise<Client | undefined> {
  if (!mayBeDocument(ctx, id)) return undefined;
  const kept = await ctx.records.clientDocuments.find(id);
  if (kept) return await currentVersion(ctx, id, kept, ctx.fetchBudgets.chargeReread);
  const known = ctx.documents.get(id);
  return isFresh(ctx, known) ? known : undefined;
}

/** Finds a client that a request names. A document that is not known is fetched at the expense of the sender. */
export async function lookUpByDocument(
  ctx: Context,
  request: Request,
  id: string,
): Promise<Client | undefined> {
  if (!mayBeDocument(ctx, id)) return undefined;
  const kept = await ctx.records.clientDocuments.find(id);
  if (kept) return await currentVersion(ctx, id, kept, ctx.fetchBudgets.chargeReread);
  const known = ctx.documents.get(id);
  const pay: ChargeFetch = (url) => ctx.fetchBudgets.chargeLookup(url, ctx.addressOf(request));
  return await currentVersion(ctx, id, isUsable(ctx, known) ? known : undefined, pay);
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

/** The client as it is known while that is fresh, and else as its document describes it now. */
async function currentVersion(
  ctx: Context,
  id: string,
  known: Client | undefined,
  pay: ChargeFetch,
): Promise<Client | undefined> {
  if (isFresh(ctx, known)) return known;
  if (known && ctx.documents.hasJustFailed(id)) return isUsable(ctx, known) ? known : undefined;
  try {
    return await ctx.documents.read(id, () => pay(id), () => readDocument(ctx, id, pay));
  } catch (cause) {
    return await afterFailure(ctx, id, known, cause);
  }
}

/** Neither our own limits nor a failing network are the fault of the client. Any other failure ends it. */
async function afterFailure(
  ctx: Context,
  id: string,
  known: Client | undefined,
  cause: unknown,
): Promise<Client | undefined> {
  if (isTooMany(cause) && known) return known;
  if (isTemporary(cause)) return isUsable(ctx, known) ? known : undefined;
  if (!describesNoClient(cause)) throw cause;
  ctx.documents.delete(id);
  if (known) await ctx.records.clientDocuments.delete(id);
  return undefined;
}

/** Whether there was a response, and it does not describe a client. */
function describesNoClient(cause: unknown): boolean {
  return cause instanceof OutboundError || (cause instanceof OAuthError && cause.status === 400);
}

async function readDocument(ctx: Context, id: string, pay: ChargeFetch): Promise<Client> {
  const { document, headers } = await fetchJson(ctx, {
    what: "client metadata",
    url: id,
    trusted: false,
    maxBytes: maxDocumentBytes,
  });
  try {
    const times = { readAt: ctx.now(), freshUntil: after(ctx, cacheLifetime(headers, lifetime)) };
    const client = { ...await makeClient(ctx, id, document, pay), document: times };
    await replaceClientDocument(ctx, client);
    return client;
  } catch (cause) {
    if (cause instanceof OAuthError) {
      ctx.emit({ type: "outside.failed", what: "client metadata", url: id, reason: cause.message });
    }
    throw cause;
  }
}

/** The document speaks for its own URL alone, and holds nothing that only two may know (section 4). */
async function makeClient(
  ctx: Context,
  id: string,
  document: unknown,
  pay: ChargeFetch,
): Promise<Client> {
  const said = Object(document) as ClientMetadata;
  if (said.client_id !== id) {
    throw invalidClientMetadata("Its client_id is not the URL at which it was found.");
  }
  if (
    "client_secret" in said || "client_secret_expires_at" in said ||
    /^client_secret/.test(String(said.token_endpoint_auth_method))
  ) {
    throw invalidClientMetadata("A client that everybody can read about has no secret.");
  }
  const server = metadataForLevel(ctx, "untrusted");
  const metadata = readClientMetadata(narrowMetadata(said, server), server, "none");
  return await makeUntrustedClient(ctx, { id, level: "untrusted" }, metadata, pay);
}
