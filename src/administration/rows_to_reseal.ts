import type { Context } from "../server/issuer/context.ts";
import { type Cipher, keyPlace, ownSecretPlace } from "../server/issuer/keys/cipher.ts";
import {
  decryptClientSecrets,
  encryptClientSecrets,
  hasOutdatedSecret,
  updateSecrets,
} from "../server/issuer/keys/secrets_at_rest.ts";
import { withLock } from "../server/issuer/records/lock.ts";
import type { Client } from "../server/model/client.ts";

/** A row that is not encrypted with the current secret yet. */
export interface OutdatedRow {
  /** Encrypts the row again. */
  reseal(): Promise<void>;
}

/**
 * Finds the rows that an earlier secret encrypted, or none: signing keys, the server's own secret,
 * secrets of clients. Throws if neither secret decrypts one of them, before any of them is changed. Those
 * that an interrupted run has changed already are left out, so that it can be repeated.
 */
export async function findRowsToReseal(ctx: Context, earlier: Cipher): Promise<OutdatedRow[]> {
  const { records, keys: { encryption } } = ctx;
  const rows: OutdatedRow[] = [];
  for (const [id, { kid, encryptedKey }] of await records.keys.list()) {
    const text = await resealed(encryption, earlier, encryptedKey, keyPlace(kid));
    if (text !== undefined) rows.push({ reseal: () => resealKey(ctx, id, encryptedKey, text) });
  }
  for (const [id, sealed] of await records.secrets.list()) {
    const text = await resealed(encryption, earlier, sealed, ownSecretPlace);
    if (text === undefined) continue;
    const reseal = () =>
      updateSecrets(ctx, records.secrets, id, (stored) => stored === sealed ? text : undefined);
    rows.push({ reseal });
  }
  for await (const [id, client] of records.clients.each()) {
    if (await resealedClient(ctx, earlier, client) === client) continue;
    rows.push({ reseal: () => resealClient(ctx, earlier, id) });
  }
  return rows;
}

async function resealKey(
  ctx: Context,
  id: string,
  before: string,
  encryptedKey: string,
): Promise<void> {
  await updateSecrets(
    ctx,
    ctx.records.keys,
    id,
    (row) => row.encryptedKey === before ? { ...row, encryptedKey } : undefined,
  );
}

async function resealClient(ctx: Context, earlier: Cipher, id: string): Promise<void> {
  await withLock(
    ctx,
    `client ${id}`,
    () =>
      updateSecrets(ctx, ctx.records.clients, id, (client) => resealedClient(ctx, earlier, client)),
  );
}

/** Returns a client with its secrets encrypted again, or the same one if they are current. */
async function resealedClient(
  ctx: Context,
  earlier: Cipher,
  client: Client,
): Promise<Client> {
  if (client.secrets.every(({ encryptedText }) => encryptedText === undefined)) return client;
  const isCurrent = !hasOutdatedSecret(ctx.keys.encryption, client) &&
    await decryptClientSecrets(ctx, client).then(() => true, () => false);
  if (isCurrent) return client;
  const { encryption: present } = ctx.keys;
  // During a rollover, an administrator may have added a second secret after the first run.
  const either: Cipher = {
    ...present,
    decrypt: (text, place) =>
      present.decrypt(text, place).catch(() => earlier.decrypt(text, place)),
  };
  const decrypted = await decryptClientSecrets({ keys: { encryption: either } }, client);
  return await encryptClientSecrets(ctx, decrypted);
}

/** Returns a text encrypted with the current secret, unless it is already. */
async function resealed(
  present: Cipher,
  earlier: Cipher,
  text: string,
  place: string,
): Promise<string | undefined> {
  const isCurrent = !present.isOutdated(text) &&
    await present.decrypt(text, place).then(() => true, () => false);
  if (isCurrent) return undefined;
  return await present.encrypt(await earlier.decrypt(text, place), place);
}
