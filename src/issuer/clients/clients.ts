import type { Client } from "../../model/client.ts";
import {
  type ClientCredentials,
  invalidClient,
  readClientCredentials,
} from "../../protocol/client_authentication.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import type { Context } from "../context.ts";
import { findByDocument, lookUpByDocument } from "./client_documents.ts";
import { verifiers } from "./client_verifiers.ts";
import { confineToAllowances } from "./untrusted_client.ts";

/**
 * Finds the client of a token, a session or anything else that exists already. No document is fetched
 * for an id that is not kept: that others look up documents must not matter here.
 */
export async function findClient(ctx: Context, id: string): Promise<Client | undefined> {
  return usableClient(ctx, await findKnown(ctx, id) ?? await findByDocument(ctx, id));
}

/** Finds the client that a request names; its document may have to be fetched, at the expense of the sender. */
export async function lookUpClient(
  ctx: Context,
  request: Request,
  id: string,
): Promise<Client | undefined> {
  return usableClient(ctx, await findKnown(ctx, id) ?? await lookUpByDocument(ctx, request, id));
}

/** A client of the configuration, or one that was added later. */
async function findKnown(ctx: Context, id: string): Promise<Client | undefined> {
  return await ctx.settings.clients.get(id)?.() ?? await ctx.records.clients.find(id);
}

function usableClient(ctx: Context, client: Client | undefined): Client | undefined {
  return client && !client.disabled ? confineToAllowances(ctx, client) : undefined;
}

/** Learns which client is calling, by one of the ways that it is registered for (OAuth 2.1, section 2.4). */
export async function authenticateClient(
  ctx: Context,
  request: Request,
  parameters: FormParameters,
): Promise<Client> {
  const credentials = readClientCredentials(request.headers.get("Authorization"), parameters);
  const client = await lookUpClient(ctx, request, credentials.clientId);
  const problem = await problemOf(ctx, ctx.addressOf(request), credentials, client);
  if (client && problem === undefined) return client;
  ctx.emit({ type: "client.refused", client: client?.id ?? "unknown", reason: problem! });
  throw invalidClient(
    "The client is unknown, or it did not authenticate in the way it is registered for.",
    `The reason: ${problem}.`,
  );
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
