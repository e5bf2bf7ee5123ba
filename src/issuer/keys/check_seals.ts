import type { Context } from "../context.ts";
import { withLock } from "../records/lock.ts";
import { forever } from "../records/table.ts";
import { ownSecretPlace } from "./derive.ts";
import { keyPlace } from "./keys.ts";
import { clientSecretPlace, encryptClientSecret } from "./seal_secret.ts";

/** Opens everything that was stored sealed, so that a wrong secret is known at once. */
export async function checkEncryption({ records, encryption }: Context): Promise<void> {
  for (const [, { kid, encryptedKey }] of await records.keys.list()) {
    await encryption.decrypt(encryptedKey, keyPlace(kid));
  }
  for (const [, sealed] of await records.secrets.list()) {
    await encryption.decrypt(sealed, ownSecretPlace);
  }
}

/** Seals what was stored before there was a secret to seal it with, or a place to seal it for. */
export async function encryptOutdatedRows(ctx: Context): Promise<void> {
  const { records, encryption } = ctx;
  for (const [id, row] of await records.keys.list()) {
    if (!encryption.isOutdated(row.encryptedKey)) continue;
    const place = keyPlace(row.kid);
    await records.keys.put(
      id,
      {
        ...row,
        encryptedKey: await encryption.encrypt(
          await encryption.decrypt(row.encryptedKey, place),
          place,
        ),
      },
      forever,
    );
  }
  for (const [id, sealed] of await records.secrets.list()) {
    if (encryption.isOutdated(sealed)) {
      await records.secrets.put(
        id,
        await encryption.encrypt(await encryption.decrypt(sealed, ownSecretPlace), ownSecretPlace),
        forever,
      );
    }
  }
  for await (const [id, { encryptedSecret }] of records.clients.each()) {
    if (encryptedSecret !== undefined && encryption.isOutdated(encryptedSecret)) {
      await encryptClientSecretAgain(ctx, id);
    }
  }
}

async function encryptClientSecretAgain(ctx: Context, id: string): Promise<void> {
  await withLock(ctx, `client ${id}`, async () => {
    const row = await ctx.records.clients.get(id);
    if (row?.value.encryptedSecret === undefined) return;
    const sealedSecret = await ctx.encryption.decrypt(
      row.value.encryptedSecret,
      clientSecretPlace(id),
    );
    await ctx.records.clients.put(
      id,
      await encryptClientSecret(ctx, { ...row.value, encryptedSecret: sealedSecret }),
      row.expiresAt,
    );
  });
}
