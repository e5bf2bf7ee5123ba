import type { Client, ClientSecret } from "../../model/client.ts";
import { clientSecretPlace, type EncryptionAtRest } from "./encryption_at_rest.ts";

interface EncryptionSource {
  encryption: EncryptionAtRest;
}

/** Encrypts the secrets of a client that uses them for an HMAC, before the client is stored. */
export async function encryptClientSecrets(
  { encryption }: EncryptionSource,
  client: Client,
): Promise<Client> {
  return await mapSecrets(client, (text) => encryption.encrypt(text, clientSecretPlace(client.id)));
}

/** Decrypts the secrets of a client that uses them for an HMAC. The result is never stored. */
export async function decryptClientSecrets(
  { encryption }: EncryptionSource,
  client: Client,
): Promise<Client> {
  return await mapSecrets(client, (text) => encryption.decrypt(text, clientSecretPlace(client.id)));
}

async function mapSecrets(
  client: Client,
  convert: (text: string) => Promise<string>,
): Promise<Client> {
  const convertOne = async <T extends ClientSecret>(secret: T): Promise<T> => {
    const { encryptedSecret } = secret;
    if (encryptedSecret === undefined) return secret;
    return { ...secret, encryptedSecret: await convert(encryptedSecret) };
  };
  const converted = await convertOne(client);
  if (!client.nextSecret) return converted;
  return { ...converted, nextSecret: await convertOne(client.nextSecret) };
}
