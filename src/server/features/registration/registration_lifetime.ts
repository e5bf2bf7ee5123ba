import type { Context } from "../../issuer/context.ts";
import { withLock } from "../../issuer/records/lock.ts";
import { fromNow } from "../../issuer/time.ts";
import type { Client, RegisteredClient } from "../../model/client.ts";
import { requireValue } from "../../protocol/rule.ts";
import type { Row } from "../../store/store.ts";
import { registrationParts } from "./parts.ts";
import { registeredClient, registrationAccess } from "./registration_access.ts";

/** Extends the life of a client that is in use. It writes only once half of the time has passed. */
export async function extendRegistration(
  ctx: Context,
  { id, registration }: Client,
): Promise<void> {
  if (!registration) return;
  const row = await ctx.records.clients.get(id);
  const halfLife = registrationParts(ctx).unusedClient * 1000 / 2;
  if (!row || row.expiresAt - ctx.now() >= halfLife) return;
  // If this fails, the next use tries again.
  await withRegistration(
    ctx,
    id,
    (client, row) => ctx.records.clients.replace(id, row, client, unusedClientExpiration(ctx)),
  ).catch(() => {});
}

/** Returns when a registered client is deleted unless it is used. */
export function unusedClientExpiration(ctx: Context): number {
  return fromNow(ctx, registrationParts(ctx).unusedClient);
}

/** Works on the client as it is now, under a lock: two changes at once must not undo each other. */
export async function withRegistration<T>(
  ctx: Context,
  id: string,
  act: (client: RegisteredClient, row: Row<Client>) => Promise<T>,
): Promise<T> {
  return await withLock(ctx, `client ${id}`, async () => {
    const row = await ctx.records.clients.get(id);
    const client = registeredClient(row?.value);
    const found = row && client && { row, client };
    const present = requireValue(
      ctx.apply,
      registrationAccess.right,
      { isRight: found !== undefined },
      found,
    );
    return await act(present.client, present.row);
  });
}
