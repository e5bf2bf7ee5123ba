import type { Client } from "../../protocol/client.ts";
import type { ClientCredentials } from "../../protocol/client_authentication.ts";
import { readClientCredentials, refuseClient } from "../../protocol/client_authentication.ts";
import type { Parameters } from "../../protocol/parameters.ts";
import { findByDocument } from "./client_documents.ts";
import { asAllowedNow } from "./untrusted_client.ts";
import { isGuess, verifiers } from "./client_verifiers.ts";
import type { Context } from "../context.ts";

/** Finds a client that may be used now: one of the configuration, one that was added later, or one that a document describes. */
export async function findClient(ctx: Context, id: string): Promise<Client | undefined> {
  const client = await ctx.settings.clients.get(id)?.() ?? await findStoredClient(ctx, id) ?? await findByDocument(ctx, id);
  return client && !client.disabled ? client : undefined;
}

/** A client that registered may do no more than the settings allow it now. */
async function findStoredClient(ctx: Context, id: string): Promise<Client | undefined> {
  const client = await ctx.records.clients.find(id);
  return client && asAllowedNow(ctx, client);
}

/** Learns which client is calling, by one of the ways that it is registered for (OAuth 2.1, section 2.4). */
export async function authenticateClient(ctx: Context, request: Request, parameters: Parameters): Promise<Client> {
  const credentials = readClientCredentials(request.headers.get("Authorization"), parameters);
  const attempt = { of: `client ${credentials.clientId}`, from: ctx.addressOf(request) };
  let reason: string | undefined;
  const client = await ctx.throttle.guard(attempt, async () => {
    const judged = await judge(ctx, credentials);
    reason = judged.problem;
    return { found: reason === undefined ? judged.client : undefined, wrongSecret: isGuess(reason) };
  });
  if (client) return client;
  throw refuseClient("The client is unknown, or it did not authenticate in the way it is registered for.", `The reason: ${reason}.`);
}

/** The same work and the same answer for a client that does not exist: neither may tell which ones do. */
async function judge(ctx: Context, credentials: ClientCredentials): Promise<{ client?: Client; problem?: string }> {
  const client = await findClient(ctx, credentials.clientId);
  const problem = await problemOf(ctx, credentials, client);
  if (problem !== undefined) ctx.emit({ type: "client.refused", client: client?.id ?? "unknown", reason: problem });
  return { client, problem };
}

async function problemOf(ctx: Context, { method, proof }: ClientCredentials, client: Client | undefined): Promise<string | undefined> {
  const mayUse = client?.authentication.includes(method);
  const problem = await verifiers[method](ctx, mayUse ? client : undefined, proof);
  if (!client) return "unknown client";
  return mayUse ? problem : `sent ${method}, may use ${client.authentication.join(", ")}`;
}
