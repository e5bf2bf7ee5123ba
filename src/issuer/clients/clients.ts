import type { Client } from "../../protocol/client.ts";
import type { ClientCredentials } from "../../protocol/client_authentication.ts";
import { readClientCredentials, refuseClient } from "../../protocol/client_authentication.ts";
import type { Parameters } from "../../protocol/parameters.ts";
import { findByDocument } from "./client_documents.ts";
import { verifiers } from "./client_verifiers.ts";
import type { Context } from "../context.ts";

/** Finds a client that may be used now: one of the configuration, one that was added later, or one that a document describes. */
export async function findClient(ctx: Context, id: string): Promise<Client | undefined> {
  const client = await ctx.settings.clients.get(id)?.() ?? await ctx.records.clients.find(id) ?? await findByDocument(ctx, id);
  return client && !client.disabled ? client : undefined;
}

/** Learns which client is calling, by one of the ways that it is registered for (OAuth 2.1, section 2.4). */
export async function authenticateClient(ctx: Context, request: Request, parameters: Parameters): Promise<Client> {
  const credentials = readClientCredentials(request.headers.get("Authorization"), parameters);
  const client = await findClient(ctx, credentials.clientId);
  const problem = await problemOf(ctx, ctx.senderOf(request), credentials, client);
  if (client && problem === undefined) return client;
  ctx.emit({ type: "client.refused", client: client?.id ?? "unknown", reason: problem! });
  throw refuseClient("The client is unknown, or it did not authenticate in the way it is registered for.", `The reason: ${problem}.`);
}

/** The same work for a client that does not exist: the time that it takes must not tell which ones do. */
async function problemOf(
  ctx: Context,
  sender: string | undefined,
  { method, proof }: ClientCredentials,
  client: Client | undefined,
): Promise<string | undefined> {
  const mayUse = client?.authentication.includes(method);
  const problem = await verifiers[method](ctx, mayUse ? client : undefined, proof, sender);
  if (!client) return "unknown client";
  return mayUse ? problem : `sent ${method}, may use ${client.authentication.join(", ")}`;
}
