import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import { confineToAllowances } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { forever, type Table } from "../records/table.ts";

/** Why an operator's request was refused, in one sentence. */
export class AdminError extends Error {
  override readonly name = "Refused";
}

/** A client or a user, and where it is defined. Those of the configuration change only there. */
export interface DirectoryEntry<T> {
  from: "configuration" | "store";
  value: T;
}

type ConfiguredEntries<T> = ReadonlyMap<string, () => Promise<T>>;

/** Held while a name or a `sub` is assigned, so that none is assigned twice. */
export const namesLock = "names";

/** Lists every client, disabled ones included. */
export async function listClients(ctx: Context): Promise<Array<DirectoryEntry<Client>>> {
  const entries = await listEntries(ctx.settings.clients, ctx.records.clients);
  return entries.map(({ from, value }) => ({ from, value: confineToAllowances(ctx, value) }));
}

/** Lists every user, disabled ones included. */
export function listUsers({ settings, records }: Context): Promise<Array<DirectoryEntry<User>>> {
  return listEntries(settings.users, records.users);
}

/** Finds a client or a user of the store. Throws if it is in the configuration, or missing. */
export async function findStored<T>(
  kind: string,
  name: string,
  configured: ConfiguredEntries<T>,
  stored: Table<T>,
): Promise<T> {
  checkNotConfigured(kind, name, configured);
  const value = await stored.find(name);
  if (value) return value;
  throw new AdminError(`There is no ${kind} '${name}'.`);
}

/** Throws if a name is taken, before anything is created under it. */
export async function checkUnused<T>(
  kind: string,
  name: string,
  configured: ConfiguredEntries<T>,
  stored: Table<T>,
): Promise<void> {
  checkNotConfigured(kind, name, configured);
  if (await stored.find(name)) throw alreadyExists(kind, name);
}

/** Adds a client or a user. If two operators add the same name at once, one is refused. */
export async function addStored<T>(
  kind: string,
  name: string,
  stored: Table<T>,
  value: T,
): Promise<T> {
  if (await stored.add(name, value, forever)) return value;
  throw alreadyExists(kind, name);
}

async function listEntries<T>(
  configured: ConfiguredEntries<T>,
  stored: Table<T>,
): Promise<Array<DirectoryEntry<T>>> {
  const ofConfiguration = await Promise.all([...configured.values()].map((create) => create()));
  const ofStore = await stored.list();
  return [
    ...ofConfiguration.map((value): DirectoryEntry<T> => ({ from: "configuration", value })),
    ...ofStore.map(([, value]): DirectoryEntry<T> => ({ from: "store", value })),
  ];
}

function checkNotConfigured<T>(kind: string, name: string, configured: ConfiguredEntries<T>): void {
  if (!configured.has(name)) return;
  throw new AdminError(
    `The ${kind} '${name}' is in the configuration and can only be changed there.`,
  );
}

function alreadyExists(kind: string, name: string): AdminError {
  return new AdminError(`There is already a ${kind} '${name}'.`);
}
