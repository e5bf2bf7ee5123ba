import type { ClientConfig } from "../server/features.ts";
import { revokeAuthorizationsOfClient } from "../server/issuer/authorizations/authorizations.ts";
import { withdrawConsent, withdrawConsents } from "../server/issuer/authorizations/consents.ts";
import { disabledClient, newIdentity } from "../server/issuer/clients/clients.ts";
import { currentClient } from "../server/issuer/clients/stored_clients.ts";
import type { AdminContext } from "../server/issuer/directory/changes.ts";
import {
  addStored,
  changeStored,
  deleteStored,
  type DirectoryEntry,
  findEntry,
  findStored,
  namesLock,
  placeOfClient,
} from "../server/issuer/directory/directory_entries.ts";
import { AdminError, withLock } from "../server/issuer/records/lock.ts";
import { isUsersValue } from "../server/issuer/users/find_users.ts";
import type { Client } from "../server/model/client.ts";
import { extentOfClient, subjectsOfClient } from "./count_extent.ts";
import { describeExtent, describeWithExtent, type Extent, maxCounted } from "./extent.ts";
import { checkStoredClient, makeStoredClient } from "./stored_client.ts";

export {
  /** Makes a secret that cannot be guessed, for a new client. */
  randomSecret as createSecret,
} from "../server/issuer/random.ts";
export {
  /** Yields every client, disabled ones included. */
  eachClient as list,
} from "../server/issuer/directory/directory_entries.ts";

export async function show(ctx: AdminContext, id: string): Promise<DirectoryEntry<Client>> {
  const { from, value } = await findEntry(placeOfClient(ctx, id));
  return { from, value: currentClient(ctx, value) };
}

/** Describes a client of the store with what would be removed. */
export async function describe(ctx: AdminContext, id: string): Promise<string> {
  await findStored(ctx, placeOfClient(ctx, id));
  return describeWithExtent(`the client '${id}'`, await extentOfClient(ctx, id));
}

/** Adds a client to the store, under the same rules as in the configuration. */
export async function add(ctx: AdminContext, config: ClientConfig): Promise<Client> {
  checkStoredClient(ctx, config, "add the client");
  const { id } = config;
  const place = placeOfClient(ctx, id);
  const client = await makeStoredClient(ctx, config);
  return await withLock(ctx, namesLock, async () => {
    // In a token, a client that acts for itself and a user are both a `sub` (RFC 9700, section
    // 4.15).
    if (await isUsersValue(ctx, "subject", id)) {
      throw new AdminError(`The name '${id}' is already the 'sub' of a user; choose another one.`);
    }
    return await addStored(ctx, place, { ...client, ...newIdentity(ctx) });
  });
}

/** Disables a client and revokes everything that was issued to it. */
export async function disable(ctx: AdminContext, id: string): Promise<void> {
  await changeStored(ctx, placeOfClient(ctx, id), (client) => disabledClient(ctx, client));
  await revokeAuthorizationsOfClient(ctx, id, "its client was disabled");
}

/** Enables a client again; what was revoked stays revoked. */
export async function enable(ctx: AdminContext, id: string): Promise<void> {
  await changeStored(ctx, placeOfClient(ctx, id), (client) => ({ ...client, disabled: false }));
}

/**
 * Removes a client, and returns what went with it. The row goes last, so that an interrupted
 * removal can be repeated.
 */
export async function remove(ctx: AdminContext, id: string): Promise<Extent> {
  const place = placeOfClient(ctx, id);
  const subjects = await subjectsOfClient(ctx, id);
  const extent = { clients: 1, ...await extentOfClient(ctx, id, subjects) };
  const client = await changeStored(
    ctx,
    place,
    (before) => disabledClient(ctx, before),
    () => [describeExtent(extent)],
  );
  await revokeAuthorizationsOfClient(ctx, id, "its client was removed");
  if (subjects.length > maxCounted) {
    await withdrawConsents(ctx, { clientId: id });
  } else {
    for (const subject of new Set(subjects)) await withdrawConsent(ctx, subject, id);
  }
  await deleteStored(ctx, place, client);
  return extent;
}
