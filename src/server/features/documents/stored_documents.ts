import { type Context, serverPart } from "../../issuer/context.ts";
import { hasSecrets } from "../../issuer/records/records.ts";
import { withMargin } from "../../issuer/records/table.ts";
import { type Client, withIdentityOf } from "../../model/client.ts";
import { day } from "../../util/time/duration.ts";

export const documentTables = serverPart(({ records: { open } }) => ({
  /** Clients that documents describe, by URL, while anything issued to them may be active. */
  clients: open.plain<Client>("client-document", hasSecrets),
  /** The epochs of clients whose document was gone, by URL, while anything from before may live. */
  epochs: withMargin(open.plain<string>("document-epoch"), 1 * day * 1000),
}));

/**
 * Stores a client with its document for as long as anything issued to it may live. Lookups cannot
 * push it out, and every process that shares the store finds it.
 */
export async function storeClientDocument(
  ctx: Context,
  client: Client,
  until: number,
): Promise<void> {
  const { clients } = documentTables(ctx);
  const row = await clients.get(client.id);
  // Only saves a write of the same row.
  if (row && row.expiresAt >= until) return;
  const kept = withIdentityOf(client, row?.value ?? client);
  if (row && await clients.replace(client.id, row, kept, until)) return;
  // The row is missing, or another process has just changed it.
  const latest = row && await clients.find(client.id);
  await clients.put(client.id, withIdentityOf(client, latest ?? client), until);
}

/** Replaces a stored document by a newer version. This does not extend its life. */
export async function replaceClientDocument(
  ctx: Context,
  client: Client,
): Promise<void> {
  const { clients } = documentTables(ctx);
  const row = await clients.get(client.id);
  if (row) await clients.replace(client.id, row, withIdentityOf(row.value, client));
}
