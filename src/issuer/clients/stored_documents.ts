import type { Client } from "../../model/client.ts";
import type { Context } from "../context.ts";

/**
 * Keeps a client with its document as long as anything that was issued to it may last. Lookups cannot
 * push it out, and every process that shares the store finds it.
 */
export async function storeClientDocument(
  ctx: Context,
  client: Client,
  until: number,
): Promise<void> {
  if (!client.document) return;
  const row = await ctx.records.clientDocuments.get(client.id);
  if (row && row.expiresAt >= until) return;
  await ctx.records.clientDocuments.put(client.id, row?.value ?? client, until);
}

/** Replaces a kept document by one that was read again. It does not live longer for that. */
export async function replaceClientDocument(ctx: Context, client: Client): Promise<void> {
  const row = await ctx.records.clientDocuments.get(client.id);
  if (row) await ctx.records.clientDocuments.put(client.id, client, row.expiresAt);
}
