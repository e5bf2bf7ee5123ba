import type { Client } from "../../protocol/client.ts";
import { checkClient } from "../../config/check_client.ts";
import { offeredBy } from "../../config/offered.ts";
import { toClient } from "../../config/make_client.ts";
import type { ClientConfig } from "../../config/client_config.ts";
import { clientShape } from "../../config/client_shape.ts";
import { collectProblems } from "../../config/problems.ts";
import { revokeAuthorizations } from "../authorizations/authorizations.ts";
import { withdrawConsents } from "../authorizations/consents.ts";
import type { Context } from "../context.ts";
import { addStored, findStored, listUsers, refuseKnown } from "./known.ts";
import { withLock } from "../records/lock.ts";
import { Refused } from "./refused.ts";
import { sealSecret } from "../keys/seal_secret.ts";
import { forever } from "../records/table.ts";

/** Adds a client to the store, if the configuration could hold it as well. */
export async function addClient(ctx: Context, config: ClientConfig): Promise<Client> {
  const problems = collectProblems();
  clientShape(config, "", problems.report);
  if (problems.paths().length === 0) checkClient(config, offeredBy(ctx.settings), problems.report);
  problems.throwAny("add the client");
  await refuseKnown("client", config.id, ctx.settings.clients, ctx.records.clients);
  await refuseSubject(ctx, config.id);
  return await addStored("client", config.id, ctx.records.clients, await sealSecret(ctx, await toClient(config, offeredBy(ctx.settings))));
}

/** Disables a client, which makes every token of its void, or enables it again. */
export async function disableClient(ctx: Context, id: string, disabled: boolean): Promise<void> {
  await withLock(ctx, `client ${id}`, async () => {
    const client = await findStored("client", id, ctx.settings.clients, ctx.records.clients);
    const end = (await ctx.records.clients.get(id))?.expiresAt ?? forever;
    await ctx.records.clients.put(id, { ...client, disabled }, end);
  });
}

/** Removes a client. Its authorizations go too: they must not come back with another client of the same name. */
export async function removeClient(ctx: Context, id: string): Promise<void> {
  await withLock(ctx, `client ${id}`, async () => {
    await findStored("client", id, ctx.settings.clients, ctx.records.clients);
    await ctx.records.clients.delete(id);
  });
  await revokeAuthorizations(ctx, ({ clientId }) => clientId === id, "its client was removed");
  await withdrawConsents(ctx, ({ clientId }) => clientId === id);
}

/** In a token, a client that acts for itself and a person are both a `sub` (RFC 9700, section 4.15). */
async function refuseSubject(ctx: Context, id: string): Promise<void> {
  const users = await listUsers(ctx);
  if (users.some(({ value }) => value.subject === id)) throw new Refused(`The name '${id}' is the 'sub' of a user; choose another one.`);
}
