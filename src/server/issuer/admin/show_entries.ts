import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import type { AdminContext } from "./changes.ts";
import { extentOfClient, extentOfUser } from "./count_extent.ts";
import {
  AdminError,
  type DirectoryEntry,
  findStored,
  listClients,
  listUsers,
  placeOfClient,
  placeOfUser,
} from "./directory_entries.ts";
import { describeExtent, type Extent } from "./extent.ts";

/** A user, and what they have. */
export type UserEntry = DirectoryEntry<User> & { extent: Extent };

/** Finds a user of the configuration or the store, and counts what they have. */
export async function showUser(ctx: AdminContext, name: string): Promise<UserEntry> {
  const entry = (await listUsers(ctx)).find(({ value }) => value.name === name);
  if (!entry) throw new AdminError(`There is no user '${name}'.`);
  return { ...entry, extent: await extentOfUser(ctx, entry.value) };
}

/** Finds a client of the configuration or the store. */
export async function showClient(ctx: AdminContext, id: string): Promise<DirectoryEntry<Client>> {
  const entry = (await listClients(ctx)).find(({ value }) => value.id === id);
  if (!entry) throw new AdminError(`There is no client '${id}'.`);
  return entry;
}

/** Describes a user of the store with what would be removed: "the user 'ada' with 2 sessions". */
export async function describeUser(ctx: AdminContext, name: string): Promise<string> {
  const user = await findStored(ctx, placeOfUser(ctx, name));
  return withExtent(`the user '${name}'`, await extentOfUser(ctx, user));
}

/** Describes a client of the store with what would be removed. */
export async function describeClient(ctx: AdminContext, id: string): Promise<string> {
  await findStored(ctx, placeOfClient(ctx, id));
  return withExtent(`the client '${id}'`, await extentOfClient(ctx, id));
}

function withExtent(subject: string, extent: Extent): string {
  return [subject, describeExtent(extent)].filter(Boolean).join(" with ");
}
