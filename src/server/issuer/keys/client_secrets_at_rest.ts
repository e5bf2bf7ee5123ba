import type { Client, ClientSecret } from "../../model/client.ts";
import { encodeUtf8 } from "../../util/bytes/encoding.ts";
import { type Cipher, clientSecretPlace } from "./cipher.ts";

interface EncryptionSource {
  encryption: Cipher;
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

/** Returns a secret as the key of an HMAC, or undefined if only its hash is stored. */
export async function hmacKey(
  { encryption }: EncryptionSource,
  clientId: string,
  { encryptedText }: ClientSecret,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (encryptedText === undefined) return undefined;
  return encodeUtf8(await encryption.decrypt(encryptedText, clientSecretPlace(clientId)));
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
