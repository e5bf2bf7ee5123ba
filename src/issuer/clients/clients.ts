import type { Client } from "../../model/client.ts";
import {
  type ClientCredentials,
  invalidClient,
  readClientCredentials,
} from "../../protocol/client_authentication.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import type { Context } from "../context.ts";
import { findDocumentClient, lookUpDocumentClient } from "./client_documents.ts";
import { clientVerifiers } from "./client_verifiers.ts";
import { confineToAllowances } from "./untrusted_client.ts";

/**
 * Finds the client of a token, a session or anything else that already exists. It never fetches an
 * unknown document: what others look up must not matter here.
 */
export async function findClient(ctx: Context, id: string): Promise<Client | undefined> {
  const client = await findWithoutDocument(ctx, id) ?? await findDocumentClient(ctx, id);
  return enabledClient(ctx, client);
}

/** Finds the client that a request names. The sender pays for fetching an unknown document. */
export async function lookUpClient(
  ctx: Context,
  request: Request,
  id: string,
): Promise<Client | undefined> {
  const client = await findWithoutDocument(ctx, id) ??
    await lookUpDocumentClient(ctx, request, id);
  return enabledClient(ctx, client);
}

/**
 * Authenticates the client by one of the methods that it is registered for (OAuth 2.1, section
 * 2.4).
 */
export async function authenticateClient(
  ctx: Context,
  request: Request,
  parameters: FormParameters,
): Promise<Client> {
  const credentials = readClientCredentials(request.headers.get("Authorization"), parameters);
  const client = await lookUpClient(ctx, request, credentials.clientId);
  const sender = ctx.addressOf(request);
  const problem = await authenticationProblem(ctx, sender, credentials, client);
  if (client && problem === undefined) return client;
  const reason = problem ?? "unknown client";
  ctx.emit({ type: "client.refused", client: client?.id ?? "unknown", reason });
  throw invalidClient(
    "The client is unknown, or it did not authenticate in the way it is registered for.",
    `The reason: ${reason}.`,
  );
}

/** Finds a configured, registered or stored client. */
async function findWithoutDocument(ctx: Context, id: string): Promise<Client | undefined> {
  return await ctx.settings.clients.get(id)?.() ?? await ctx.records.clients.find(id);
}

function enabledClient(ctx: Context, client: Client | undefined): Client | undefined {
  return client && !client.disabled ? confineToAllowances(ctx, client) : undefined;
}

/** Does the same work for an unknown client: the time must not reveal which clients exist. */
async function authenticationProblem(
  ctx: Context,
  sender: string | undefined,
  { method, proof }: ClientCredentials,
  client: Client | undefined,
): Promise<string | undefined> {
  const mayUse = client?.authentication.includes(method);
  const verifiable = mayUse ? client : undefined;
  const problem = await clientVerifiers[method](ctx, verifiable, { proof, sender });
  if (!client) return "unknown client";
  return mayUse ? problem : `sent ${method}, may use ${client.authentication.join(", ")}`;
}
