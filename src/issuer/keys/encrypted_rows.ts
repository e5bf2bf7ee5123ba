import type { Context } from "../context.ts";
import { withLock } from "../records/lock.ts";
import { forever } from "../records/table.ts";
import {
  clientSecretPlace,
  encryptClientSecret,
  type EncryptionAtRest,
  keyPlace,
  ownSecretPlace,
} from "./encryption_at_rest.ts";

/** Decrypts every key and secret of the server, so that a wrong secret is noticed at once. */
export async function checkEncryption({ records, encryption }: Context): Promise<void> {
  for (const [, { kid, encryptedKey }] of await records.keys.list()) {
    await encryption.decrypt(encryptedKey, keyPlace(kid));
  }
  for (const [, encryptedSecret] of await records.secrets.list()) {
    await encryption.decrypt(encryptedSecret, ownSecretPlace);
  }
}

/**
 * Encrypts what was stored before the server had a secret, or before texts were bound to a place.
 */
export async function encryptOutdatedRows(ctx: Context): Promise<void> {
  const { records, encryption } = ctx;
  for (const [id, row] of await records.keys.list()) {
    if (!encryption.isOutdated(row.encryptedKey)) continue;
    const encryptedKey = await encryptAgain(encryption, row.encryptedKey, keyPlace(row.kid));
    await records.keys.put(id, { ...row, encryptedKey }, forever);
  }
  for (const [id, text] of await records.secrets.list()) {
    if (!encryption.isOutdated(text)) continue;
    await records.secrets.put(id, await encryptAgain(encryption, text, ownSecretPlace), forever);
  }
  for await (const [id, { encryptedSecret }] of records.clients.each()) {
    if (encryptedSecret !== undefined && encryption.isOutdated(encryptedSecret)) {
      await encryptClientSecretAgain(ctx, id);
    }
  }
}

async function encryptAgain(
  { encrypt, decrypt }: EncryptionAtRest,
  text: string,
  place: string,
): Promise<string> {
  return await encrypt(await decrypt(text, place), place);
}

async function encryptClientSecretAgain(ctx: Context, id: string): Promise<void> {
  await withLock(ctx, `client ${id}`, async () => {
    const row = await ctx.records.clients.get(id);
    if (row?.value.encryptedSecret === undefined) return;
    const secret = await ctx.encryption.decrypt(row.value.encryptedSecret, clientSecretPlace(id));
    const client = await encryptClientSecret(ctx, { ...row.value, encryptedSecret: secret });
    await ctx.records.clients.put(id, client, row.expiresAt);
  });
}
