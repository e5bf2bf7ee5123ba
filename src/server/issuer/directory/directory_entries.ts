import type { ConfiguredList } from "../../config/configured_list.ts";
import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import type { Row } from "../../store/store.ts";
import { currentClient } from "../clients/stored_clients.ts";
import type { Context } from "../context.ts";
import { AdminError, LockedError, withLock } from "../records/lock.ts";
import { mapCall, type TableCall } from "../records/store_calls.ts";
import { forever, type Table } from "../records/table.ts";
import { writeUser } from "../users/claim_rows.ts";
import { type AdminContext, recordChange } from "./changes.ts";

/** A client or a user, and where it is defined. Those of the configuration change only there. */
export interface DirectoryEntry<T> {
  from: "configuration" | "store";
  value: T;
}

/** Held while a name or a `sub` is assigned, so that none is assigned twice. */
export const namesLock = "names";

/** Lists every client, disabled ones included. */
export async function listClients(ctx: Context): Promise<Array<DirectoryEntry<Client>>> {
  return await collect(eachClient(ctx));
}

/** Lists every user, disabled ones included. */
export async function listUsers(ctx: Context): Promise<Array<DirectoryEntry<User>>> {
  return await collect(eachUser(ctx));
}

/** Yields every client, disabled ones included: there may be millions. */
export async function* eachClient(ctx: Context): AsyncGenerator<DirectoryEntry<Client>> {
  for await (const { from, value } of eachEntry(ctx.settings.clients, ctx.records.clients)) {
    yield { from, value: currentClient(ctx, value) };
  }
}

/** Yields every user, disabled ones included. */
export function eachUser({ settings, records }: Context): AsyncGenerator<DirectoryEntry<User>> {
  return eachEntry(settings.users, records.users);
}

/** Finds a client or a user, even a disabled one. The configuration comes first. */
export async function findEntry<T>(
  { kind, name, configured, stored }: EntryPlace<T>,
): Promise<DirectoryEntry<T>> {
  const ofConfiguration = await configured.get(name);
  if (ofConfiguration) return { from: "configuration", value: ofConfiguration };
  const value = await stored.find(name);
  if (value) return { from: "store", value };
  throw new AdminError(`There is no ${kind} '${name}'.`);
}

/** A client or a user by name, where the configuration and the store keep those of its kind. */
export interface EntryPlace<T> {
  kind: "client" | "user";
  name: string;
  configured: ConfiguredList<unknown, T>;
  stored: Table<T>;
  /**
   * Writes the entry, with what leads to it, over the row that was read. Returns whether this is
   * still as it was. Without a row it adds the entry, and without a value it deletes it.
   */
  write(row: Row<T> | undefined, after: T | undefined): Promise<boolean>;
}

export function placeOfClient({ settings, records }: Context, id: string): EntryPlace<Client> {
  const { clients: stored } = records;
  return {
    kind: "client",
    name: id,
    configured: settings.clients,
    stored,
    write: (row, after) => records.write({ rows: [], last: writeCall(stored, id, row, after) }),
  };
}

export function placeOfUser(ctx: Context, name: string): EntryPlace<User> {
  const { users: stored } = ctx.records;
  return {
    kind: "user",
    name,
    configured: ctx.settings.users,
    stored,
    write: (row, after) =>
      writeUser(ctx, row?.value, after, (user) => writeCall(stored, name, row, user)),
  };
}

function writeCall<T>(
  { calls }: Table<T>,
  name: string,
  row: Row<T> | undefined,
  after: T | undefined,
): TableCall<boolean> {
  if (after === undefined) return mapCall(calls.delete(name), () => true);
  return row ? calls.replace(name, row, after) : calls.add(name, after, forever);
}

/** Finds a client or a user of the store. Throws if it is in the configuration, or missing. */
export async function findStored<T>(ctx: AdminContext, place: EntryPlace<T>): Promise<T> {
  return (await findStoredRow(ctx, place)).value;
}

async function findStoredRow<T>(ctx: AdminContext, place: EntryPlace<T>): Promise<Row<T>> {
  checkNotConfigured(ctx, place);
  const row = await place.stored.get(place.name);
  if (row) return row;
  throw new AdminError(`There is no ${place.kind} '${place.name}'.`);
}

/** Throws if a name is taken, before anything is created under it. */
export async function checkUnused<T>(ctx: AdminContext, place: EntryPlace<T>): Promise<void> {
  checkNotConfigured(ctx, place);
  if (await place.stored.find(place.name)) throw alreadyExists(place);
}

/** Adds a client or a user. If two operators add the same name at once, one is refused. */
export async function addStored<T>(ctx: AdminContext, place: EntryPlace<T>, value: T): Promise<T> {
  await checkUnused(ctx, place);
  await recordChange(ctx, place.name);
  if (await place.write(undefined, value)) return value;
  throw alreadyExists(place);
}

/**
 * Changes a client or a user as it is now, under a lock: two changes at once must not undo each
 * other. One that comes after the lock has expired is refused if there was another.
 */
export async function changeStored<T>(
  ctx: AdminContext,
  place: EntryPlace<T>,
  change: (value: T) => T | Promise<T>,
  describe: (before: T, after: T) => string[] = () => [],
): Promise<T> {
  return await withEntryLock(ctx, place, async () => {
    const row = await findStoredRow(ctx, place);
    const after = await change(row.value);
    if (after === row.value) return after;
    await recordChange(ctx, place.name, describe(row.value, after));
    if (!await place.write(row, after)) throw new LockedError();
    return after;
  });
}

/** Deletes a client or a user, but not a later one of the same name. */
export async function deleteStored<T extends { instance?: string }>(
  ctx: AdminContext,
  place: EntryPlace<T>,
  { instance }: T,
): Promise<void> {
  await withEntryLock(ctx, place, async () => {
    const row = await place.stored.get(place.name);
    if (row && row.value.instance === instance) await place.write(row, undefined);
  });
}

async function withEntryLock<T, Result>(
  ctx: Context,
  { kind, name }: EntryPlace<T>,
  act: () => Promise<Result>,
): Promise<Result> {
  return await withLock(ctx, `${kind} ${name}`, act);
}

async function* eachEntry<T>(
  configured: ConfiguredList<unknown, T>,
  stored: Table<T>,
): AsyncGenerator<DirectoryEntry<T>> {
  for (const value of await configured.all()) {
    yield { from: "configuration", value };
  }
  for await (const [, value] of stored.each()) yield { from: "store", value };
}

/** Node 20 has no `Array.fromAsync`. */
async function collect<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const entry of entries) list.push(entry);
  return list;
}

function checkNotConfigured<T>(
  { action }: AdminContext,
  { kind, name, configured }: EntryPlace<T>,
): void {
  if (!configured.has(name)) return;
  const where = ["the configuration", action?.configuration].filter(Boolean).join(" ");
  throw new AdminError(`The ${kind} '${name}' is in ${where} and can only be changed there.`);
}

function alreadyExists<T>({ kind, name }: EntryPlace<T>): AdminError {
  return new AdminError(`There is already a ${kind} '${name}'.`);
}
