import type { Settings } from "../../config/settings.ts";
import { createHmac, type Hmac } from "../../util/crypto/hash.ts";
import { once } from "../../util/time/promises.ts";
import { randomSecret } from "../random.ts";
import type { Records } from "../records/records.ts";
import { forever } from "../records/table.ts";
import { type Cipher, ownSecretPlace } from "./cipher.ts";

/**
 * Derives a text from another one, with a key that only processes on the same store have. It cannot
 * be inverted. Two parts of a server never share a purpose: what one shows, another may keep secret.
 */
export type DeriveSecret = (purpose: string, from: string) => Promise<string>;

/**
 * Creates the function that derives secrets. It reads the server's own secret when first called.
 */
export function createDerive(
  settings: Settings,
  records: Records,
  encryption: Cipher,
): DeriveSecret {
  const hmac = once(async () => {
    const encryptedSecret = await findOrCreateSecret(settings, records, encryption);
    return await createHmac(await encryption.decrypt(encryptedSecret, ownSecretPlace));
  });
  let ready: Hmac | undefined;
  return async (purpose, from) => (ready ??= await hmac())(`${purpose}\n${from}`);
}

/** Returns the secret of whichever process was the first on this store. */
async function findOrCreateSecret(
  settings: Settings,
  { secrets }: Records,
  encryption: Cipher,
): Promise<string> {
  const existing = await secrets.find("own");
  if (existing !== undefined) return existing;
  const encrypted = await encryption.encrypt(randomSecret({ settings }), ownSecretPlace);
  if (await secrets.add("own", encrypted, forever)) return encrypted;
  return await secrets.find("own") ?? encrypted;
}
