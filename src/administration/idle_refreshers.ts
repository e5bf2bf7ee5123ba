import { authorizationsOfClient } from "../server/issuer/authorizations/authorization_rows.ts";
import { findClient } from "../server/issuer/clients/clients.ts";
import type { Context } from "../server/issuer/context.ts";
import { mayRefresh } from "../server/model/client.ts";
import { maxCounted } from "./extent.ts";

/** Finds the clients that got a thousand refresh tokens of late, and used none. */
export async function findIdleRefreshers(
  ctx: Context,
  clientIds: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const id of clientIds) if (await isIdle(ctx, id)) found.push(id);
  return found;
}

async function isIdle(ctx: Context, id: string): Promise<boolean> {
  const client = await findClient(ctx, id);
  if (!client || !mayRefresh(client, ctx.settings)) return false;
  let authorizations = 0;
  for await (const page of authorizationsOfClient(ctx, id)) {
    // What yields no refresh token ends with its code.
    authorizations += page.filter(({ issuingUntil }) => issuingUntil > ctx.now()).length;
    if (authorizations > maxCounted) return !await ctx.records.refreshingClients.get(id);
  }
  return false;
}
