import { type Client, withEachSecret } from "../../model/client.ts";
import type { Context } from "../context.ts";
import { withLock } from "../records/lock.ts";
import { forever } from "../records/table.ts";
import { decryptClientSecrets, encryptClientSecrets } from "./client_secrets_at_rest.ts";
import { type EncryptionAtRest, keyPlace, ownSecretPlace } from "./encryption_at_rest.ts";

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
  for await (const [id, client] of records.clients.each()) {
    if (hasOutdatedSecret(encryption, client)) await encryptClientSecretsAgain(ctx, id);
  }
}

function hasOutdatedSecret({ isOutdated }: EncryptionAtRest, client: Client): boolean {
  return withEachSecret(client).some(({ encryptedSecret }) =>
    encryptedSecret !== undefined && isOutdated(encryptedSecret)
  );
}

async function encryptAgain(
  { encrypt, decrypt }: EncryptionAtRest,
  text: string,
  place: string,
): Promise<string> {
  return await encrypt(await decrypt(text, place), place);
}

async function encryptClientSecretsAgain(ctx: Context, id: string): Promise<void> {
  await withLock(ctx, `client ${id}`, async () => {
    const row = await ctx.records.clients.get(id);
    if (!row) return;
    const client = await encryptClientSecrets(ctx, await decryptClientSecrets(ctx, row.value));
    await ctx.records.clients.put(id, client, row.expiresAt);
  });
}
