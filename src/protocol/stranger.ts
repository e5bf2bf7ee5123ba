import { isClientIdUrl } from "./client_id_url.ts";
import type { Client } from "./client.ts";
import { receiverOf } from "./redirect_uri.ts";

/** What a person can be told of a client that the operator does not know (OAuth 2.1, section 7.9). Its name and its links are its own choice. */
export interface Stranger {
  /** The host that vouches for it: the one at which the document stands that describes it. Without one, it registered itself. */
  host?: string;
  /** Who gets what the person allows; nobody, if a device waits for it. */
  receiver?: string;
}

export function strangerOf({ id, trusted }: Pick<Client, "id" | "trusted">, redirectUri: string | undefined): Stranger | undefined {
  if (trusted) return undefined;
  return { host: isClientIdUrl(id, true) ? new URL(id).host : undefined, receiver: redirectUri && receiverOf(redirectUri) };
}
