import type { Context } from "../context.ts";
import { updateRow } from "../records/update_row.ts";
import { type Cipher, keyPlace, ownSecretPlace } from "./cipher.ts";

/** Decrypts every key and secret of the server, so that a wrong secret is noticed at once. */
export async function checkEncryption({ records, encryption }: Context): Promise<void> {
  for (const [, { kid, encryptedKey }] of await records.keys.list()) {
    await encryption.decrypt(encryptedKey, keyPlace(kid));
  }
  for (const [, encryptedSecret] of await records.secrets.list()) {
    await encryption.decrypt(encryptedSecret, ownSecretPlace);
  }
}

/** Encrypts the keys and the server's own secrets that were stored before it had a secret. */
export async function encryptOutdatedRows(ctx: Context): Promise<void> {
  const { records, encryption } = ctx;
  for (const [id, { encryptedKey }] of await records.keys.list()) {
    if (!encryption.isOutdated(encryptedKey)) continue;
    await updateRow(records.keys, id, async (row) => ({
      ...row,
      encryptedKey: await encryptAgain(encryption, row.encryptedKey, keyPlace(row.kid)),
    }));
  }
  for (const [id, text] of await records.secrets.list()) {
    if (!encryption.isOutdated(text)) continue;
    await updateRow(records.secrets, id, (text) => encryptAgain(encryption, text, ownSecretPlace));
  }
}

async function encryptAgain(
  { encrypt, decrypt }: Cipher,
  text: string,
  place: string,
): Promise<string> {
  return await encrypt(await decrypt(text, place), place);
}
