import type { Context } from "../server/issuer/context.ts";
import { forever } from "../server/issuer/records/table.ts";

const id = "last";

/** Returns the issuer that used the store last, if it is another one than that of this server. */
export async function findOtherIssuer({ records, settings }: Context): Promise<string | undefined> {
  const issuer = await records.issuers.find(id);
  return issuer === settings.issuer ? undefined : issuer;
}

/** Notes which issuer uses the store, so that another one can be warned of it. */
export async function noteIssuer(ctx: Context): Promise<void> {
  const { records, settings } = ctx;
  // Only saves a write of the same row.
  if (await records.issuers.find(id) === settings.issuer) return;
  await records.issuers.put(id, settings.issuer, forever);
}
