import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import { confineToAllowances } from "../clients/untrusted_client.ts";
import type { Context } from "../context.ts";
import { forever, type Table } from "../records/table.ts";
import { AdminError } from "./admin_error.ts";

/** A client or a user, and who knows it: what stands in the configuration is changed only there. */
export interface DirectoryEntry<T> {
  from: "configuration" | "store";
  value: T;
}

/** Every client there is, disabled ones among them. */
export async function listClients(ctx: Context): Promise<Array<DirectoryEntry<Client>>> {
  const known = await listEntries(ctx.settings.clients, ctx.records.clients);
  return known.map(({ from, value }) => ({ from, value: confineToAllowances(ctx, value) }));
}

/** Every user there is, disabled ones among them. */
export function listUsers({ settings, records }: Context): Promise<Array<DirectoryEntry<User>>> {
  return listEntries(settings.users, records.users);
}

/** Held while a name or a `sub` is given out, so that none is given twice. */
export const namesLock = "names";

type ConfiguredEntries<T> = ReadonlyMap<string, () => Promise<T>>;

async function listEntries<T>(
  configured: ConfiguredEntries<T>,
  stored: Table<T>,
): Promise<Array<DirectoryEntry<T>>> {
  const one = await Promise.all([...configured.values()].map((value) => value()));
  const other = await stored.list();
  return [
    ...one.map((value): DirectoryEntry<T> => ({ from: "configuration", value })),
    ...other.map(([, value]): DirectoryEntry<T> => ({ from: "store", value })),
  ];
}

/** Finds what may be changed: something that the store holds, and no configuration. */
export async function findStored<T>(
  what: string,
  name: string,
  configured: ConfiguredEntries<T>,
  stored: Table<T>,
): Promise<T> {
  checkNotConfigured(what, name, configured);
  const value = await stored.find(name);
  if (value) return value;
  throw new AdminError(`There is no ${what} '${name}'.`);
}

/** Says whether a name is free, before anything is made under it. */
export async function checkUnused<T>(
  what: string,
  name: string,
  configured: ConfiguredEntries<T>,
  stored: Table<T>,
): Promise<void> {
  checkNotConfigured(what, name, configured);
  if (await stored.find(name)) throw new AdminError(`There is a ${what} '${name}' already.`);
}

/** Of two who add the same name at once, one is refused. */
export async function addStored<T>(
  what: string,
  name: string,
  stored: Table<T>,
  value: T,
): Promise<T> {
  if (await stored.add(name, value, forever)) return value;
  throw new AdminError(`There is a ${what} '${name}' already.`);
}

function checkNotConfigured<T>(what: string, name: string, configured: ConfiguredEntries<T>): void {
  if (configured.has(name)) {
    throw new AdminError(
      `The ${what} '${name}' stands in the configuration, and can be changed only there.`,
    );
  }
}
