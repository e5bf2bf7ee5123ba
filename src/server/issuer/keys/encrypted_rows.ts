import type { Client } from "../../model/client.ts";
import type { Context } from "../context.ts";
import { withLock } from "../records/lock.ts";
import { updateRow } from "../records/update_row.ts";
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

/** How many clients are looked at in one turn of the maintenance. */
const clientsPerTurn = 100;

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

/**
 * Returns a task that does the same for the secrets of clients, once and a few at a time: there may
 * be very many, which no start of a server waits for.
 */
export function createClientEncryption(): (ctx: Context) => Promise<"more" | void> {
  let next: string | undefined = "";
  return async (ctx) => {
    if (next === undefined) return;
    let turns = 0;
    for await (const [id, client] of ctx.records.clients.each("", next)) {
      if (hasOutdatedSecret(ctx.encryption, client)) await encryptClientSecretsAgain(ctx, id);
      next = id;
      turns += 1;
      if (turns === clientsPerTurn) return "more";
    }
    next = undefined;
  };
}

function hasOutdatedSecret({ isOutdated }: EncryptionAtRest, { secrets }: Client): boolean {
  return secrets.some(({ encryptedText }) =>
    encryptedText !== undefined && isOutdated(encryptedText)
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
  await withLock(
    ctx,
    `client ${id}`,
    () =>
      updateRow(
        ctx.records.clients,
        id,
        async (client) => await encryptClientSecrets(ctx, await decryptClientSecrets(ctx, client)),
      ),
  );
}
