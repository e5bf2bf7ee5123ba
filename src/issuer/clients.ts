import type { Client } from "../protocol/client.ts";
import type { ClientCredentials } from "../protocol/client_authentication.ts";
import { readClientCredentials, refuseClient } from "../protocol/client_authentication.ts";
import { equalInConstantTime, sha256 } from "../protocol/digest.ts";
import type { Parameters } from "../protocol/parameters.ts";
import type { Context } from "./context.ts";
import type { Guess } from "./throttle.ts";

/** Finds a client that may be used now: one of the configuration, or one that was added later. */
export async function findClient(ctx: Context, id: string): Promise<Client | undefined> {
  const client = await ctx.settings.clients.get(id)?.() ?? await ctx.records.clients.find(id);
  return client && !client.disabled ? client : undefined;
}

/** Learns which client is calling, by one of the ways that it is registered for (OAuth 2.1, section 2.4). */
export async function authenticateClient(ctx: Context, request: Request, parameters: Parameters): Promise<Client> {
  const credentials = readClientCredentials(request.headers.get("Authorization"), parameters);
  const attempt = { of: `client ${credentials.clientId}`, from: ctx.addressOf(request) };
  const client = await ctx.throttle.guard(attempt, () => matchClient(ctx, credentials));
  if (client) return client;
  throw refuseClient("The client is unknown, or it did not authenticate in the way it is registered for.");
}

/** The same work and the same answer for a client that does not exist: neither may tell which ones do. */
async function matchClient(ctx: Context, credentials: ClientCredentials): Promise<Guess<Client>> {
  const client = await findClient(ctx, credentials.clientId);
  const matches = await secretMatches(credentials, client?.secretHash);
  const problem = problemOf(credentials, client, matches);
  if (client && !problem) return { found: client, wrongSecret: false };
  ctx.emit({ type: "client.refused", client: client?.id ?? "unknown", reason: problem ?? unknownClient });
  return { wrongSecret: problem === wrongSecret };
}

const unknownClient = "unknown client";
const wrongSecret = "wrong secret";

function problemOf({ method }: ClientCredentials, client: Client | undefined, matches: boolean): string | undefined {
  if (!client) return unknownClient;
  if (!client.authentication.includes(method)) return `sent ${method}, may use ${client.authentication.join(", ")}`;
  return method === "none" || matches ? undefined : wrongSecret;
}

async function secretMatches(credentials: ClientCredentials, secretHash = hashOfNothing): Promise<boolean> {
  const presented = await sha256(credentials.method === "none" ? "" : credentials.secret);
  return equalInConstantTime(presented, secretHash);
}

/** As long as a SHA-256 in base64url, and the hash of no text. */
const hashOfNothing = "-".repeat(43);
