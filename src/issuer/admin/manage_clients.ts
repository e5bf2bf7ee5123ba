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
import type { AdminContext } from "./changes.ts";
import {
  addStored,
  AdminError,
  changeStored,
  checkUnused,
  deleteStored,
  listUsers,
  namesLock,
  placeOfClient,
} from "./directory_entries.ts";

/** 128 bits in base64: a thief of the store has only the SHA-256 and could guess a shorter one. */
const minSecretLength = 22;

/** Adds a client to the store, under the same rules as in the configuration. */
export async function addClient(ctx: AdminContext, config: ClientConfig): Promise<Client> {
  const problems = collectProblems();
  checkValue(clientSchema, config, "", problems.report);
  if (problems.paths().length === 0) {
    checkClient(config, capabilitiesOfSettings(ctx.settings), problems.report);
    checkSecretLength(config, problems.report);
  }
  problems.throwAny("add the client");
  const place = placeOfClient(ctx, config.id);
  await checkUnused(ctx, place);
  const client = await encryptClientSecret(
    ctx,
    await toClient(config, capabilitiesOfSettings(ctx.settings)),
  );
  return await withLock(ctx, namesLock, async () => {
    await checkNoSubject(ctx, config.id);
    const added = { ...client, instance: randomId(ctx), epoch: randomId(ctx) };
    return await addStored(ctx, place, added);
  });
}

/**
 * Disables a client and revokes everything that was issued to it, or enables it again. Enabling
 * brings nothing back.
 */
export async function disableClient(
  ctx: AdminContext,
  id: string,
  disabled: boolean,
): Promise<void> {
  await changeStored(ctx, placeOfClient(ctx, id), (client) => {
    return { ...client, disabled, ...disabled && { epoch: randomId(ctx) } };
  });
  if (!disabled) return;
  await revokeAuthorizationsOfClient(ctx, id, "its client was disabled");
}

/** Removes a client. The row goes last, so that an interrupted removal can be repeated. */
export async function removeClient(ctx: AdminContext, id: string): Promise<void> {
  const place = placeOfClient(ctx, id);
  const client = await changeStored(ctx, place, (before) => {
    return { ...before, disabled: true, epoch: randomId(ctx) };
  });
  await revokeAuthorizationsOfClient(ctx, id, "its client was removed");
  await withdrawConsents(ctx, ({ clientId }) => clientId === id);
  await deleteStored(ctx, place, client);
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
