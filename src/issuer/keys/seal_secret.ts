import type { Client } from "../../model/client.ts";
import type { Context } from "../context.ts";

/** Where the secret of a client is sealed for. */
export function clientSecretPlace(id: string): string {
  return `client ${id}`;
}

/** Before a client is stored: the secret that an HMAC needs is sealed like a key. */
export async function encryptClientSecret(
  { encryption }: Context,
  client: Client,
): Promise<Client> {
  return client.encryptedSecret === undefined ? client : {
    ...client,
    encryptedSecret: await encryption.encrypt(
      client.encryptedSecret,
      clientSecretPlace(client.id),
    ),
  };
}
