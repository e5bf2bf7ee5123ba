import type { Feature } from "../../feature.ts";
import { type Context, serverPart } from "../../issuer/context.ts";
import {
  decryptClientSecrets,
  encryptClientSecrets,
  eraseReplaced,
  hasOutdatedSecret,
  updateSecrets,
} from "../../issuer/keys/secrets_at_rest.ts";
import { withLock } from "../../issuer/records/lock.ts";
import { second } from "../../util/time/duration.ts";
import { createCipher } from "./cipher.ts";
import { encryptionSettings } from "./config.ts";

/** How many clients are looked at in one turn of the maintenance. */
const clientsPerTurn = 100;

const encryptClients = serverPart(createClientEncryption);

/**
 * Keys and secrets are encrypted in the store. The core decides which texts are, and reads no
 * encrypted one without this feature.
 */
export const encryptionAtRest: Feature = {
  name: "encryption at rest",
  config: { server: encryptionSettings },
  under(settings) {
    const { secret } = encryptionSettings.of(settings);
    return secret === undefined ? {} : { cipher: createCipher(secret) };
  },
  tasks: [{
    name: "encryption",
    interval: 30 * second * 1000,
    enabled: ({ keys }) => keys.encryption.isSecret,
    run: async (ctx) => await encryptClients(ctx)(ctx),
  }],
};

/**
 * Returns a task that encrypts, once, the secrets of clients that were stored before the server had
 * a secret. It takes a few at a time: there may be very many, and no start of a server waits.
 */
export function createClientEncryption(): (ctx: Context) => Promise<"more" | void> {
  let next: string | undefined = "";
  return async (ctx) => {
    if (next === undefined) return;
    let turns = 0;
    for await (const [id, client] of ctx.records.clients.each("", next)) {
      if (hasOutdatedSecret(ctx.keys.encryption, client)) await encryptClientSecretsAgain(ctx, id);
      next = id;
      turns += 1;
      if (turns === clientsPerTurn) return "more";
    }
    await eraseReplaced(ctx);
    next = undefined;
  };
}

async function encryptClientSecretsAgain(ctx: Context, id: string): Promise<void> {
  await withLock(
    ctx,
    `client ${id}`,
    () =>
      updateSecrets(
        ctx,
        ctx.records.clients,
        id,
        async (client) => await encryptClientSecrets(ctx, await decryptClientSecrets(ctx, client)),
      ),
  );
}
