import { cacheLifetime } from "../../http/cache_lifetime.ts";
import { isClientIdUrl } from "../../protocol/client_id_url.ts";
import type { Client, ClientMetadata } from "../../protocol/client.ts";
import { OAuthError } from "../../protocol/oauth_error.ts";
import { narrowMetadata, readClientMetadata } from "../../config/client_metadata.ts";
import { day, minute } from "../../protocol/duration.ts";
import type { Context } from "../context.ts";
import type { Dated } from "./document_cache.ts";
import { fetchJson } from "../outside.ts";
import { makeUntrustedClient, metadataForLevel } from "./untrusted_client.ts";

/** However short or long a site wants its document to be kept, in seconds. */
const lifetime = { least: 1 * minute, most: 1 * day, byDefault: 5 * minute };
/** In a minute: strangers must neither send us against a site nor keep us busy. */
const mostFromHost = 30;
const mostFetches = 600;
/** The draft recommends 5 kB (section 8.7); a document that holds keys needs more. */
const largest = 10 * 1024;

/** Finds a client whose id is the URL of its metadata (OAuth Client ID Metadata Document, section 5). */
export async function findByDocument(ctx: Context, id: string): Promise<Client | undefined> {
  const { clientMetadataDocuments, privateFetches } = ctx.settings;
  if (!clientMetadataDocuments || !isClientIdUrl(id, privateFetches)) return undefined;
  try {
    return await ctx.documents.find(id, () => fetchClient(ctx, id));
  } catch (cause) {
    // What is wrong with the document is in the events; that we are busy is no fault of the document.
    if (cause instanceof OAuthError && cause.status === 429) throw cause;
    return undefined;
  }
}

async function fetchClient(ctx: Context, id: string): Promise<Dated> {
  ctx.rate.take(`documents of ${new URL(id).host}`, mostFromHost);
  ctx.rate.take("documents", mostFetches);
  const { document, headers } = await fetchJson(ctx, { what: "client metadata", url: id, trusted: false, largest });
  try {
    return { client: await readDocument(ctx, id, document), seconds: cacheLifetime(headers, lifetime) };
  } catch (cause) {
    if (cause instanceof OAuthError) ctx.emit({ type: "outside.failed", what: "client metadata", url: id, reason: cause.message });
    throw cause;
  }
}

/** The document speaks for its own URL alone, and holds nothing that only two may know (section 4). */
async function readDocument(ctx: Context, id: string, document: unknown): Promise<Client> {
  const said = Object(document) as ClientMetadata;
  if (said.client_id !== id) throw refuse("Its client_id is not the URL at which it was found.");
  if ("client_secret" in said || "client_secret_expires_at" in said || /^client_secret/.test(String(said.token_endpoint_auth_method))) {
    throw refuse("A client that everybody can read about has no secret.");
  }
  const server = metadataForLevel(ctx, "untrusted");
  const metadata = readClientMetadata(narrowMetadata(said, server), server, "none");
  return await makeUntrustedClient(ctx, { id, level: "untrusted" }, metadata);
}

function refuse(message: string): OAuthError {
  return new OAuthError("invalid_client_metadata", message);
}
