import type { Context } from "./context.ts";
import { forever } from "./table.ts";

/** Opens everything that was stored sealed, so that a wrong secret is known at once; what was stored without a seal is sealed now. */
export async function checkSeals({ records, seal }: Context): Promise<void> {
  for (const [id, row] of await records.keys.list()) {
    const text = await seal.open(row.sealed);
    if (seal.isOpen(row.sealed)) await records.keys.put(id, { ...row, sealed: await seal.close(text) }, forever);
  }
  for (const [id, sealed] of await records.secrets.list()) {
    const text = await seal.open(sealed);
    if (seal.isOpen(sealed)) await records.secrets.put(id, await seal.close(text), forever);
  }
}
