import { addressOf } from "../http/address.ts";
import type { Client } from "../protocol/client.ts";
import { isPublic } from "../protocol/client.ts";
import type { ClientCredentials } from "../protocol/client_authentication.ts";
import { allowsMethod, readClientCredentials, refuseClient } from "../protocol/client_authentication.ts";
import { equalInConstantTime, sha256 } from "../protocol/digest.ts";
import type { Parameters } from "../protocol/parameters.ts";
import type { Context } from "./context.ts";

/** Finds a client that may still be used: one of the configuration, or one that was added later. */
export async function findClient(ctx: Context, id: string): Promise<Client | undefined> {
  const client = await ctx.config.clients.get(id)?.() ?? (await ctx.records.clients.get(id))?.value;
  return client && !client.disabled ? client : undefined;
}

/** Learns which client is calling, by the one way it is registered for (OAuth 2.1, section 2.4). */
export async function authenticateClient(ctx: Context, request: Request, parameters: Parameters): Promise<Client> {
  const credentials = readClientCredentials(request.headers.get("Authorization"), parameters);
  const attempt = { of: `client ${credentials.clientId}`, from: addressOf(request) };
  ctx.throttle.check(attempt);
  const client = await findClient(ctx, credentials.clientId);
  const problem = await credentialsProblem(credentials, client);
  if (client && !problem) return client;
  ctx.throttle.count(attempt);
  ctx.emit({ type: "client.refused", client: credentials.clientId, reason: problem ?? "unknown client" });
  throw refuseClient("The client is unknown, or it did not authenticate in the way it is registered for.");
}

/** The same work for a client that is not there: the time it takes must not tell. */
async function credentialsProblem(credentials: ClientCredentials, client: Client | undefined): Promise<string | undefined> {
  const presented = await sha256(credentials.secret ?? "");
  const matches = equalInConstantTime(presented, client?.secretHash ?? hashOfNothing);
  if (!client) return "unknown client";
  if (!allowsMethod(client, credentials.method)) return `sent ${credentials.method}, may use ${client.authentication.join(", ")}`;
  return isPublic(client) || matches ? undefined : "wrong secret";
}

/** As long as a SHA-256 in base64url, and the hash of no text. */
const hashOfNothing = "-".repeat(43);
