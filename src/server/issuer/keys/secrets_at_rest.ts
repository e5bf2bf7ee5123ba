import type { Client, ClientSecret } from "../../model/client.ts";
import { erasureNote } from "../../store/store.ts";
import { encodeUtf8 } from "../../util/bytes/encoding.ts";
import { randomHex } from "../../util/crypto/random_pool.ts";
import type { Context } from "../context.ts";
import { updateRow } from "../records/lock.ts";
import type { Records } from "../records/records.ts";
import { forever, type Table } from "../records/table.ts";
import { type Cipher, clientSecretPlace, keyPlace, ownSecretPlace } from "./cipher.ts";
import { createCachedRead, rereadInterval } from "./stored_keys.ts";

interface EncryptionSource {
  keys: { encryption: Cipher };
}

/** Encrypts the secrets of a client that uses them for an HMAC, before the client is stored. */
export async function encryptClientSecrets(
  { keys: { encryption } }: EncryptionSource,
  client: Client,
): Promise<Client> {
  return await mapSecrets(client, (text) => encryption.encrypt(text, clientSecretPlace(client.id)));
}

/** Decrypts the secrets of a client that uses them for an HMAC. The result is never stored. */
export async function decryptClientSecrets(
  { keys: { encryption } }: EncryptionSource,
  client: Client,
): Promise<Client> {
  return await mapSecrets(client, (text) => encryption.decrypt(text, clientSecretPlace(client.id)));
}

/** Whether a client has a secret that was stored before the server had one. */
export function hasOutdatedSecret({ isOutdated }: Cipher, { secrets }: Client): boolean {
  return secrets.some(({ encryptedText }) =>
    encryptedText !== undefined && isOutdated(encryptedText)
  );
}

/** Returns a secret as the key of an HMAC, or undefined if only its hash is stored. */
export async function hmacKey(
  { keys: { encryption } }: EncryptionSource,
  clientId: string,
  { encryptedText }: ClientSecret,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (encryptedText === undefined) return undefined;
  return encodeUtf8(await encryption.decrypt(encryptedText, clientSecretPlace(clientId)));
}

/** Decrypts every key and secret of the server, so that a wrong secret is noticed at once. */
export async function checkEncryption(
  { records, keys: { encryption } }: EncryptionSource & { records: Records },
): Promise<void> {
  const [keys, secrets] = await Promise.all([records.keys.list(), records.secrets.list()]);
  for (const [, { kid, encryptedKey }] of keys) {
    await encryption.decrypt(encryptedKey, keyPlace(kid));
  }
  for (const [, encryptedSecret] of secrets) {
    await encryption.decrypt(encryptedSecret, ownSecretPlace);
  }
}

/**
 * Creates a function that checks the same, at most once a minute: an operator replaces a secret
 * that leaked, and then a server with the old one must stop, even if it signs with a key of its
 * configuration or not at all. A failure is not remembered.
 */
export function createEncryptionCheck(
  records: Records,
  encryption: Cipher,
  now: () => number,
): () => true | Promise<true> {
  return createCachedRead(async () => {
    await checkEncryption({ records, keys: { encryption } });
    return true as const;
  }, { now, interval: rereadInterval }).current;
}

/** Encrypts the keys and the server's own secrets that were stored before it had a secret. */
export async function encryptOutdatedRows(ctx: Context): Promise<void> {
  const { records, keys: { encryption } } = ctx;
  for (const [id, { encryptedKey }] of await records.keys.list()) {
    if (!encryption.isOutdated(encryptedKey)) continue;
    await updateSecrets(ctx, records.keys, id, async (row) => ({
      ...row,
      wasClear: true,
      encryptedKey: await encryptAgain(encryption, row.encryptedKey, keyPlace(row.kid)),
    }));
  }
  for (const [id, text] of await records.secrets.list()) {
    if (!encryption.isOutdated(text)) continue;
    const encrypt = (text: string) => encryptAgain(encryption, text, ownSecretPlace);
    await updateSecrets(ctx, records.secrets, id, encrypt);
  }
}

/**
 * Changes secrets in a row, as `updateRow` does, and notes in the same transaction that the old ones
 * must be erased from the files of the store: a process may end before it erases them.
 */
export async function updateSecrets<T>(
  { records: { batch, erasures }, settings: { store } }: Context,
  table: Table<T>,
  id: string,
  change: (value: T) => T | undefined | Promise<T | undefined>,
): Promise<void> {
  await updateRow(table, id, change, async (before, value) => {
    if (!store.erase) return await table.replace(id, before, value);
    // A new one for each attempt: whoever erases between two of them deletes the note that it read.
    const note = erasures.calls.put(erasureNote.id, randomHex(), forever);
    const [, isReplaced] = await batch(note, table.calls.replace(id, before, value));
    return isReplaced;
  });
}

/** Erases what was replaced from the files of the store, if a note says that it may be there. */
export async function eraseReplaced(
  { records: { erasures }, settings: { store } }: Context,
): Promise<void> {
  const note = await erasures.get(erasureNote.id);
  if (!note || !store.erase) return;
  await store.erase();
  // Another process that has replaced a secret meanwhile has written another note.
  await erasures.replace(erasureNote.id, note, note.value, 0);
}

async function mapSecrets(
  client: Client,
  convert: (text: string) => Promise<string>,
): Promise<Client> {
  const convertOne = async (secret: ClientSecret): Promise<ClientSecret> => {
    const { encryptedText } = secret;
    if (encryptedText === undefined) return secret;
    return { ...secret, encryptedText: await convert(encryptedText) };
  };
  return { ...client, secrets: await Promise.all(client.secrets.map(convertOne)) };
}

async function encryptAgain(
  { encrypt, decrypt }: Cipher,
  text: string,
  place: string,
): Promise<string> {
  return await encrypt(await decrypt(text, place), place);
}
