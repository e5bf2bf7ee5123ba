import type { AdminContext } from "../server/issuer/directory/changes.ts";
import {
  changeStored,
  findStored,
  placeOfClient,
} from "../server/issuer/directory/directory_entries.ts";
import { clientSecretPlace } from "../server/issuer/keys/cipher.ts";
import { randomSecret } from "../server/issuer/random.ts";
import { AdminError } from "../server/issuer/records/lock.ts";
import type { Client, ClientSecret } from "../server/model/client.ts";
import { sha256 } from "../server/util/crypto/hash.ts";
import { checkOwnedByOperator } from "./stored_client.ts";

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
export async function addSecret(ctx: AdminContext, id: string): Promise<string> {
  const secret = randomSecret(ctx);
  await changeStored(
    ctx,
    placeOfClient(ctx, id),
    async (client) => {
      checkMayAdd(client);
      const { encrypt } = ctx.keys.encryption;
      const isKey = client.secrets.some(({ encryptedText }) => encryptedText !== undefined);
      const stored: ClientSecret = {
        hash: await sha256(secret),
        isLong: true,
        since: ctx.now(),
        ...isKey && { encryptedText: await encrypt(secret, clientSecretPlace(id)) },
      };
      return { ...client, secrets: [...client.secrets, stored] };
    },
    () => ["secret: a second one was added"],
  );
  return secret;
}

/** Retires the earlier of a client's two secrets; the later one is valid alone. */
export async function retireSecret(ctx: AdminContext, id: string): Promise<void> {
  await changeStored(
    ctx,
    placeOfClient(ctx, id),
    (client) => {
      checkOwnedByOperator(client);
      const [, next] = client.secrets;
      if (next) return { ...client, secrets: [next] };
      throw new AdminError(
        `The client '${id}' has no second secret that could replace the one to retire. Add it ` +
          `first: hallpass client secret ${id} --add`,
      );
    },
    () => ["secret: the earlier one was retired"],
  );
}

/** Drops the later of a client's two secrets, if it was lost. The earlier one stays valid. */
export async function dropSecret(ctx: AdminContext, id: string): Promise<void> {
  await changeStored(
    ctx,
    placeOfClient(ctx, id),
    (client) => {
      checkOwnedByOperator(client);
      const [current, next] = client.secrets;
      if (current && next) return { ...client, secrets: [current] };
      throw new AdminError(`The client '${id}' has no second secret that could be dropped.`);
    },
    () => ["secret: the later one was dropped"],
  );
}

/** Lists the secrets of a stored client, the earlier one first. */
export async function listSecrets(ctx: AdminContext, id: string): Promise<ClientSecretState[]> {
  const { secrets } = await findStored(ctx, placeOfClient(ctx, id));
  return secrets.map(({ since }, at) => ({ state: at === 0 ? "current" : "next", since }));
}

function checkMayAdd(client: Client): void {
  checkOwnedByOperator(client);
  const { id, secrets } = client;
  if (secrets.length === 0) {
    throw new AdminError(
      `The client '${id}' has no secret. To give it one: hallpass client set ${id} --secret`,
    );
  }
  if (secrets.length > 1) {
    throw new AdminError(
      `The client '${id}' has two secrets already. To retire the earlier one: ` +
        `hallpass client secret ${id} --retire. If the later one was lost: ` +
        `hallpass client secret ${id} --drop`,
    );
  }
}
