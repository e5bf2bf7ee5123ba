import type { Context } from "../context.ts";
import { withLock } from "../records/lock.ts";
import { forever } from "../records/table.ts";
import { ownSecretPlace } from "./derive.ts";
import { keyPlace } from "./keys.ts";
import { clientPlace, sealSecret } from "./seal_secret.ts";

/** Opens everything that was stored sealed, so that a wrong secret is known at once. */
export async function checkSeals({ records, seal }: Context): Promise<void> {
  for (const [, { kid, sealed }] of await records.keys.list()) await seal.open(sealed, keyPlace(kid));
  for (const [, sealed] of await records.secrets.list()) await seal.open(sealed, ownSecretPlace);
}

/** Seals what was stored before there was a secret to seal it with, or a place to seal it for. */
export async function sealTheRest(ctx: Context): Promise<void> {
  const { records, seal } = ctx;
  for (const [id, row] of await records.keys.list()) {
    if (!seal.isOutdated(row.sealed)) continue;
    const place = keyPlace(row.kid);
    await records.keys.put(id, { ...row, sealed: await seal.close(await seal.open(row.sealed, place), place) }, forever);
  }
  for (const [id, sealed] of await records.secrets.list()) {
    if (seal.isOutdated(sealed)) {
      await records.secrets.put(id, await seal.close(await seal.open(sealed, ownSecretPlace), ownSecretPlace), forever);
    }
  }
  for await (const [id, { sealedSecret }] of records.clients.each()) {
    if (sealedSecret !== undefined && seal.isOutdated(sealedSecret)) await sealClientAnew(ctx, id);
  }
}

async function sealClientAnew(ctx: Context, id: string): Promise<void> {
  await withLock(ctx, `client ${id}`, async () => {
    const row = await ctx.records.clients.get(id);
    if (row?.value.sealedSecret === undefined) return;
    const sealedSecret = await ctx.seal.open(row.value.sealedSecret, clientPlace(id));
    await ctx.records.clients.put(id, await sealSecret(ctx, { ...row.value, sealedSecret }), row.expiresAt);
  });
}
