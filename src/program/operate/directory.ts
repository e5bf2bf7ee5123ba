import type { Settings } from "../../server/config/settings.ts";
import { currentClient, storedClientProblems } from "../../server/issuer/clients/stored_clients.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { Table } from "../../server/issuer/records/table.ts";
import type { Claims } from "../../server/model/claims.ts";
import { type Client, describesItself } from "../../server/model/client.ts";
import type { User } from "../../server/model/user.ts";
import { pkceRequirementOf } from "../../server/protocol/pkce.ts";
import { clientLeniencies } from "./leniencies.ts";
import type { Leniency } from "./leniency.ts";

/**
 * The clients and users of the configuration and the store. There may be very many, so it keeps
 * only what is reported about them.
 */
export interface ServerDirectory {
  clients: readonly DirectoryClient[];
  users: readonly DirectoryUser[];
  /** Why clients of the store break the rules of the profile, a sentence each. */
  problems: readonly string[];
}

/** How many clients or users a warning names. */
const maxNamed = 10;
/** How many clients, or users, of the store are counted. */
const maxCounted = 1000;

/** A client or a user. */
interface Listed {
  from: "configuration" | "store";
  name: string;
}

export interface DirectoryClient extends Listed, Pick<Client, "claims" | "groups"> {
  leniencies: readonly Leniency[];
  signsIn: boolean;
  /** Whether it may send a nonce instead of PKCE. */
  mayRelyOnNonce: boolean;
  /** The scopes that it has only because the server gained them since it was stored. */
  gained?: readonly string[];
  /** Whether its row has no record of what it was given, so that no default follows the server. */
  isFrozen?: boolean;
}

/** A user, with the names of their claims, of which groups alone have values. */
interface DirectoryUser extends Listed, Pick<User, "claims"> {}

/** Reads all clients and users once, those of the store in pages. */
export async function readDirectory(ctx: Context): Promise<ServerDirectory> {
  const { settings, records } = ctx;
  const clients: DirectoryClient[] = [];
  const users: DirectoryUser[] = [];
  const problems: string[] = [];
  const listUser = createUserList();
  for (const client of await settings.clients.all()) {
    clients.push(listClient(settings, "configuration", client));
  }
  for (const user of await settings.users.all()) users.push(listUser("configuration", user));
  for await (const [, client] of records.clients.each()) {
    const current = currentClient(ctx, client);
    problems.push(...storedClientProblems(settings, describesItself(client) ? client : current));
    clients.push({
      ...listClient(settings, "store", current),
      gained: current.scopes.filter((scope) => !client.scopes.includes(scope)),
      isFrozen: client.givenSettings === undefined && !describesItself(client),
    });
  }
  for await (const [, user] of records.users.each()) users.push(listUser("store", user));
  return { clients, users, problems };
}

/** How many clients and users a server knows: a number, or "more than 1,000". */
export interface DirectoryCounts {
  clients: number | string;
  users: number | string;
}

/** Counts each name once: a client or a user may be in both places. No start reads all of them. */
export async function countDirectory({ settings, records }: Context): Promise<DirectoryCounts> {
  return {
    clients: await countNames(settings.clients, records.clients),
    users: await countNames(settings.users, records.users),
  };
}

async function countNames(
  configured: Settings["clients"] | Settings["users"],
  stored: Table<Client> | Table<User>,
): Promise<number | string> {
  const known = configured.list().length;
  let count = known;
  for await (const [name] of stored.each()) {
    if (configured.has(name)) continue;
    if (count >= known + maxCounted) return `more than ${count.toLocaleString("en")}`;
    count += 1;
  }
  return count;
}

/** Returns the names of clients or users, each once. */
export function namesIn(entries: readonly Listed[]): string[] {
  return [...new Set(entries.map(({ name }) => name))];
}

/** Lists names; of many, it counts the rest. */
export function firstOf(names: readonly string[]): string {
  const rest = names.length - maxNamed;
  return names.slice(0, maxNamed).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function listClient(
  settings: Settings,
  from: Listed["from"],
  client: Client,
): DirectoryClient {
  const { id, claims, grantTypes, groups } = client;
  const signsIn = grantTypes.includes("authorization_code");
  return {
    from,
    name: id,
    ...claims && { claims },
    ...groups && { groups },
    leniencies: clientLeniencies(settings, client),
    signsIn,
    mayRelyOnNonce: signsIn && pkceRequirementOf(client) === "or-nonce",
  };
}

/** Creates what lists users. There may be millions, most of whom have the same claims. */
function createUserList(): (from: Listed["from"], user: User) => DirectoryUser {
  const shared = new Map<string, Claims>();
  return (from, { name, claims: { groups, ...others } }) => {
    const names = Object.keys(others).map((each) => [each, null]);
    const claims: Claims = { ...Object.fromEntries(names), ...groups !== undefined && { groups } };
    const key = JSON.stringify(claims);
    if (!shared.has(key)) shared.set(key, claims);
    return { from, name, claims: shared.get(key) ?? claims };
  };
}
