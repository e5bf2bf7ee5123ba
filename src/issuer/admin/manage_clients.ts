import { checkClient } from "../../config/check_client.ts";
import { toClient } from "../../config/make_client.ts";
import { collectProblems, type ReportProblem } from "../../config/problems.ts";
import { checkValue } from "../../config/schema.ts";
import { clientSchema } from "../../config/schemas.ts";
import { capabilitiesOfSettings } from "../../config/server_capabilities.ts";
import type { Client } from "../../model/client.ts";
import type { ClientConfig } from "../../model/client_config.ts";
import { revokeAuthorizationsOfClient } from "../authorizations/authorizations.ts";
import { withdrawConsents } from "../authorizations/consents.ts";
import type { Context } from "../context.ts";
import { encryptClientSecret } from "../keys/encryption_at_rest.ts";
import { randomId } from "../random.ts";
import { withLock } from "../records/lock.ts";
import { forever } from "../records/table.ts";
import {
  addStored,
  AdminError,
  checkUnused,
  findStored,
  listUsers,
  namesLock,
} from "./directory_entries.ts";

/** 128 bits in base64: a thief of the store has only the SHA-256 and could guess a shorter one. */
const minSecretLength = 22;

/** Adds a client to the store, under the same rules as in the configuration. */
export async function addClient(ctx: Context, config: ClientConfig): Promise<Client> {
  const problems = collectProblems();
  checkValue(clientSchema, config, "", problems.report);
  if (problems.paths().length === 0) {
    checkClient(config, capabilitiesOfSettings(ctx.settings), problems.report);
    checkSecretLength(config, problems.report);
  }
  problems.throwAny("add the client");
  await checkUnused("client", config.id, ctx.settings.clients, ctx.records.clients);
  const client = await encryptClientSecret(
    ctx,
    await toClient(config, capabilitiesOfSettings(ctx.settings)),
  );
  return await withLock(ctx, namesLock, async () => {
    await checkNoSubject(ctx, config.id);
    const added = { ...client, instance: randomId(ctx), epoch: randomId(ctx) };
    return await addStored("client", config.id, ctx.records.clients, added);
  });
}

/**
 * Disables a client and revokes everything that was issued to it, or enables it again. Enabling
 * brings nothing back.
 */
export async function disableClient(ctx: Context, id: string, disabled: boolean): Promise<void> {
  if (!disabled) return void await changeClient(ctx, id, (client) => ({ ...client, disabled }));
  await changeClient(ctx, id, (client) => ({ ...client, disabled, epoch: randomId(ctx) }));
  await revokeAuthorizationsOfClient(ctx, id, "its client was disabled");
}

/** Removes a client. The row goes last, so that an interrupted removal can be repeated. */
export async function removeClient(ctx: Context, id: string): Promise<void> {
  const client = await changeClient(
    ctx,
    id,
    (before) => ({ ...before, disabled: true, epoch: randomId(ctx) }),
  );
  await revokeAuthorizationsOfClient(ctx, id, "its client was removed");
  await withdrawConsents(ctx, ({ clientId }) => clientId === id);
  await withLock(ctx, `client ${id}`, async () => {
    const storedClient = await ctx.records.clients.find(id);
    if (storedClient?.instance === client.instance) await ctx.records.clients.delete(id);
  });
}

/** Changes a client as it is now: two changes at once must not undo each other. */
async function changeClient(
  ctx: Context,
  id: string,
  change: (client: Client) => Client,
): Promise<Client> {
  return await withLock(ctx, `client ${id}`, async () => {
    const client = change(
      await findStored("client", id, ctx.settings.clients, ctx.records.clients),
    );
    const row = await ctx.records.clients.get(id);
    await ctx.records.clients.put(id, client, row?.expiresAt ?? forever);
    return client;
  });
}

function checkSecretLength({ secret }: ClientConfig, report: ReportProblem): void {
  if (secret === undefined || secret.length >= minSecretLength) return;
  report(
    "secret",
    `must have at least ${minSecretLength} characters to be stored; --secret creates one`,
  );
}

/**
 * In a token, a client that acts for itself and a user are both a `sub` (RFC 9700, section 4.15).
 */
async function checkNoSubject(ctx: Context, id: string): Promise<void> {
  const users = await listUsers(ctx);
  if (users.some(({ value }) => value.subject === id)) {
    throw new AdminError(`The name '${id}' is already the 'sub' of a user; choose another one.`);
  }
}
