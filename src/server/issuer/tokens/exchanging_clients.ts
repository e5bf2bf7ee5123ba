import type { AccessTokenClaims, ExchangingClient } from "../../model/access_token.ts";
import type { Client } from "../../model/client.ts";
import { type ClientReference, referenceTo } from "../../model/client_identity.ts";
import { findClient, findReferredClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import type { TokenOrigin } from "./token_ids.ts";

/**
 * Returns the clients that exchanged a token, in order. Tokens of an earlier version do not name
 * them: only the last client is known, in its present state.
 */
export function exchangedBy(
  { exchanged_by }: Pick<AccessTokenClaims, "exchanged_by">,
  { chain }: TokenOrigin,
  client: Client,
): ClientReference[] {
  if (exchanged_by) return referencesIn(exchanged_by);
  return chain.length > 1 ? [referenceTo(client)] : [];
}

/**
 * Finds the client that obtained a token by an exchange. A token that was exchanged repeatedly ends
 * with any of the clients that exchanged it.
 */
export async function findExchangingClient(
  ctx: Context,
  { client_id, exchanged_by }: AccessTokenClaims,
): Promise<Client | undefined> {
  if (!exchanged_by) return await findClient(ctx, client_id);
  const clients = await Promise.all(
    referencesIn(exchanged_by).map((reference) => findReferredClient(ctx, reference)),
  );
  return clients.every(Boolean) ? clients.at(-1) : undefined;
}

function referencesIn(claim: readonly ExchangingClient[]): ClientReference[] {
  return claim.map(({ client_id, client_epoch }) => ({
    clientId: client_id,
    clientEpoch: client_epoch,
  }));
}
