import type { Client } from "../../protocol/client.ts";
import type { Asked } from "../../protocol/asked.ts";
import { checkStillAllowed } from "../../protocol/still_allowed.ts";
import { lookUpClient } from "../../issuer/clients/clients.ts";
import type { Context } from "../../issuer/context.ts";

/** The client of a request that has waited. It may have been changed meanwhile, and its redirect URI be trusted no more. */
export async function clientOf(ctx: Context, request: Request, asked: Asked): Promise<Client> {
  return checkStillAllowed(asked, await lookUpClient(ctx, request, asked.clientId));
}
