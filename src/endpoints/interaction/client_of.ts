import { lookUpClient } from "../../issuer/clients/clients.ts";
import type { Context } from "../../issuer/context.ts";
import type { Client } from "../../model/client.ts";
import { checkStillAllowed, type PendingRequest } from "../../protocol/pending_request.ts";

/** The client of a request that has waited. It may have been changed meanwhile, and its redirect URI be trusted no more. */
export async function findRequestingClient(
  ctx: Context,
  request: Request,
  pending: PendingRequest,
): Promise<Client> {
  return checkStillAllowed(pending, await lookUpClient(ctx, request, pending.clientId));
}
