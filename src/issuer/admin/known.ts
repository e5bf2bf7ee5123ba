import type { Client } from "../../protocol/client.ts";
import type { User } from "../../protocol/user.ts";
import { asAllowedNow } from "../clients/untrusted_client.ts";
import type { Context } from "../context.ts";
import { Refused } from "./refused.ts";
import type { Table } from "../records/table.ts";
import { forever } from "../records/table.ts";

/** A client or a user, and who knows it: what stands in the configuration is changed only there. */
export interface Known<T> {
  from: "configuration" | "store";
  value: T;
}

/** Every client there is, disabled ones among them. */
export async function listClients(ctx: Context): Promise<Array<Known<Client>>> {
  const known = await listKnown(ctx.settings.clients, ctx.records.clients);
  return known.map(({ from, value }) => ({ from, value: asAllowedNow(ctx, value) }));
}

/** Every user there is, disabled ones among them. */
export function listUsers({ settings, records }: Context): Promise<Array<Known<User>>> {
  return listKnown(settings.users, records.users);
}

/** Held while a name or a `sub` is given out, so that none is given twice. */
export const namesLock = "names";

type Configured<T> = ReadonlyMap<string, () => Promise<T>>;

async function listKnown<T>(configured: Configured<T>, stored: Table<T>): Promise<Array<Known<T>>> {
  const one = await Promise.all([...configured.values()].map((value) => value()));
  const other = await stored.list();
  return [
    ...one.map((value): Known<T> => ({ from: "configuration", value })),
    ...other.map(([, value]): Known<T> => ({ from: "store", value })),
  ];
}

/** Finds what may be changed: something that the store holds, and no configuration. */
export async function findStored<T>(what: string, name: string, configured: Configured<T>, stored: Table<T>): Promise<T> {
  refuseConfigured(what, name, configured);
  const value = await stored.find(name);
  if (value) return value;
  throw new Refused(`There is no ${what} '${name}'.`);
}

/** Says whether a name is free, before anything is made under it. */
export async function refuseKnown<T>(what: string, name: string, configured: Configured<T>, stored: Table<T>): Promise<void> {
  refuseConfigured(what, name, configured);
  if (await stored.find(name)) throw new Refused(`There is a ${what} '${name}' already.`);
}

/** Of two who add the same name at once, one is refused. */
export async function addStored<T>(what: string, name: string, stored: Table<T>, value: T): Promise<T> {
  if (await stored.add(name, value, forever)) return value;
  throw new Refused(`There is a ${what} '${name}' already.`);
}

function refuseConfigured<T>(what: string, name: string, configured: Configured<T>): void {
  if (configured.has(name)) throw new Refused(`The ${what} '${name}' stands in the configuration, and can be changed only there.`);
}
