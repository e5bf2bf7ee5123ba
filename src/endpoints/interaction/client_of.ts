import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import { checkStillAllowed } from "../../protocol/authorization_request.ts";
import type { Client } from "../../protocol/client.ts";
import { findClient } from "../../issuer/clients.ts";
import type { Context } from "../../issuer/context.ts";

/** The client of a request that has waited. It may have been changed meanwhile, and its redirect URI be trusted no more. */
export async function clientOf(ctx: Context, asked: AuthorizationRequest): Promise<Client> {
  return checkStillAllowed(asked, await findClient(ctx, asked.clientId));
}
