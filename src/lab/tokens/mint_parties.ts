import { findClient } from "../../server/issuer/clients/clients.ts";
import type { Context } from "../../server/issuer/context.ts";
import { listClients, listUsers } from "../../server/issuer/directory/directory_entries.ts";
import { randomId } from "../../server/issuer/random.ts";
import type { Session } from "../../server/issuer/records/rows.ts";
import { numericDate } from "../../server/issuer/time.ts";
import { findUser } from "../../server/issuer/users/users.ts";
import type { Client } from "../../server/model/client.ts";
import type { User } from "../../server/model/user.ts";
import { LabError, unknownName } from "../util/lab_error.ts";

/** Finds the client that something is minted for, or the one that it is probably for. */
export async function requireMintClient(
  ctx: Context,
  id: string | undefined,
  sub: string | undefined,
): Promise<Client> {
  const clients = (await listClients(ctx)).map(({ value }) => value);
  const client = id === undefined
    ? defaultClient(clients, sub)
    : clients.find((each) => each.id === id) ?? await findHostedClient(ctx, id);
  if (client) return client;
  if (id === undefined) throw new LabError("This lab has no client to mint a token for.");
  throw unknownName("client", id, clients.map((each) => each.id));
}

/** Finds a client whose metadata document the lab hosts, which may be read for the first time. */
async function findHostedClient(ctx: Context, id: string): Promise<Client | undefined> {
  if (!ctx.hooks.hostedDocuments?.has(id)) return undefined;
  return await findClient(ctx, id);
}

function defaultClient(clients: readonly Client[], sub: string | undefined): Client | undefined {
  return clients.find(({ id }) => id === sub) ??
    clients.find(({ grantTypes }) => grantTypes.includes("authorization_code")) ??
    clients[0];
}

/** Finds a user who can sign in, by name or `sub`. */
export async function requireMintUser(ctx: Context, name: string): Promise<User> {
  const user = await findSubject(ctx, name);
  if (user && !user.disabled) return user;
  const users = (await listUsers(ctx)).map(({ value }) => value);
  const names = users.filter(({ disabled }) => !disabled).map((each) => each.name);
  throw unknownName("user who can sign in", name, names);
}

/** Finds a user by name or `sub`, even one who is disabled. */
export async function findSubject(ctx: Context, subject: string): Promise<User | undefined> {
  const named = await findUser(ctx, subject);
  if (named) return named;
  const users = (await listUsers(ctx)).map(({ value }) => value);
  return users.find((user) => user.name === subject || user.subject === subject);
}

/** Returns the session of a user who has just signed in with a password. */
export function newSession(ctx: Context, { name, subject }: User): Session {
  return {
    sid: randomId(ctx),
    userName: name,
    subject,
    authTime: numericDate(ctx),
    amr: ["pwd"],
  };
}
