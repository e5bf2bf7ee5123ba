import type { Client } from "../../protocol/client.ts";
import type { Context } from "../context.ts";

/** Where the secret of a client is sealed for. */
export function clientPlace(id: string): string {
  return `client ${id}`;
}

/** Before a client is stored: the secret that an HMAC needs is sealed like a key. */
export async function sealSecret({ seal }: Context, client: Client): Promise<Client> {
  return client.sealedSecret === undefined
    ? client
    : { ...client, sealedSecret: await seal.close(client.sealedSecret, clientPlace(client.id)) };
}
