import { type Client, type ClientSecret, withEachSecret } from "../../model/client.ts";
import { sha256 } from "../../util/hash.ts";
import type { Context } from "../context.ts";
import { clientSecretPlace } from "../keys/encryption_at_rest.ts";
import { randomSecret } from "../random.ts";
import type { AdminContext } from "./changes.ts";
import { AdminError, changeStored, findStored, placeOfClient } from "./directory_entries.ts";
import { checkOwnedByOperator } from "./set_client.ts";

/** A secret of a client, as an administrator sees it. */
export interface ClientSecretState {
  state: "current" | "next";
  /** When it was made, in milliseconds, if that is known. */
  since: number | undefined;
}

/**
 * Adds a second secret to a client and returns it. Both are valid until the earlier one is retired,
 * so that each instance of the client can change over in its own time.
 */
export async function addClientSecret(ctx: AdminContext, id: string): Promise<string> {
  const secret = randomSecret(ctx);
  await changeStored(
    ctx,
    placeOfClient(ctx, id),
    async (client) => {
      checkMayAdd(client);
      return { ...client, nextSecret: await storedSecret(ctx, client, secret) };
    },
    () => ["secret: a second one was added"],
  );
  return secret;
}

/** Retires the earlier of a client's two secrets; the later one is valid alone. */
export async function retireClientSecret(ctx: AdminContext, id: string): Promise<void> {
  await changeStored(
    ctx,
    placeOfClient(ctx, id),
    ({ nextSecret, ...client }) => {
      checkOwnedByOperator(client);
      if (nextSecret) return { ...client, encryptedSecret: undefined, ...nextSecret };
      throw new AdminError(
        `The client '${id}' has no second secret that could replace the one to retire. Add it ` +
          `first: hallpass client secret ${id} --add`,
      );
    },
    () => ["secret: the earlier one was retired"],
  );
}

/** Drops the later of a client's two secrets, if it was lost. The earlier one stays valid. */
export async function dropClientSecret(ctx: AdminContext, id: string): Promise<void> {
  await changeStored(
    ctx,
    placeOfClient(ctx, id),
    ({ nextSecret, ...client }) => {
      checkOwnedByOperator(client);
      if (nextSecret) return client;
      throw new AdminError(`The client '${id}' has no second secret that could be dropped.`);
    },
    () => ["secret: the later one was dropped"],
  );
}

/** Lists the secrets of a stored client, the earlier one first. */
export async function listClientSecrets(
  ctx: AdminContext,
  id: string,
): Promise<ClientSecretState[]> {
  const client = await findStored(ctx, placeOfClient(ctx, id));
  if (client.secretHash === undefined) return [];
  return withEachSecret(client).map(({ secretSince }, at) => ({
    state: at === 0 ? "current" : "next",
    since: secretSince,
  }));
}

function checkMayAdd(client: Client): void {
  checkOwnedByOperator(client);
  const { id, secretHash, nextSecret } = client;
  if (secretHash === undefined) {
    throw new AdminError(
      `The client '${id}' has no secret. To give it one: hallpass client set ${id} --secret`,
    );
  }
  if (nextSecret) {
    throw new AdminError(
      `The client '${id}' has two secrets already. To retire the earlier one: hallpass client secret ` +
        `${id} --retire. If the later one was lost: hallpass client secret ${id} --drop`,
    );
  }
}

async function storedSecret(ctx: Context, client: Client, secret: string): Promise<ClientSecret> {
  const isKey = client.encryptedSecret !== undefined;
  return {
    secretHash: await sha256(secret),
    hasLongSecret: true,
    secretSince: ctx.now(),
    ...isKey && {
      encryptedSecret: await ctx.encryption.encrypt(secret, clientSecretPlace(client.id)),
    },
  };
}
