import type { AccessTokenClaims } from "../../model/access_token.ts";
import type { Client, ClientReference } from "../../model/client.ts";
import { findReferredClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";

/** Returns the clients that exchanged a token, in order. */
export function exchangedBy(
  { exchanged_by = [] }: Pick<AccessTokenClaims, "exchanged_by">,
): ClientReference[] {
  return exchanged_by.map(({ client_id, client_epoch }) => ({
    clientId: client_id,
    clientEpoch: client_epoch,
  }));
}

/**
 * Finds the client that obtained a token by an exchange. A token that was exchanged repeatedly ends
 * with any of the clients that exchanged it, and one that names none of them is not active.
 */
export async function findExchangingClient(
  ctx: Context,
  claims: AccessTokenClaims,
): Promise<Client | undefined> {
  const clients = await Promise.all(
    exchangedBy(claims).map((reference) => findReferredClient(ctx, reference)),
  );
  return clients.every(Boolean) ? clients.at(-1) : undefined;
}
