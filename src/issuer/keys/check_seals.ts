import type { Context } from "../context.ts";
import { forever } from "../records/table.ts";

/** Opens everything that was stored sealed, so that a wrong secret is known at once. */
export async function checkSeals({ records, seal }: Context): Promise<void> {
  for (const [, row] of await records.keys.list()) await seal.open(row.sealed);
  for (const [, sealed] of await records.secrets.list()) await seal.open(sealed);
}

/** Seals what was stored before there was a secret to seal it with. */
export async function sealTheRest({ records, seal }: Context): Promise<void> {
  for (const [id, row] of await records.keys.list()) {
    if (seal.isOpen(row.sealed)) await records.keys.put(id, { ...row, sealed: await seal.close(row.sealed) }, forever);
  }
  for (const [id, sealed] of await records.secrets.list()) {
    if (seal.isOpen(sealed)) await records.secrets.put(id, await seal.close(sealed), forever);
  }
}
