import type { AdminAction, Administration } from "../../administration/administration.ts";
import type { Context } from "../../server/issuer/context.ts";

/** Loads what an administrator works with. The program starts faster without it. */
export async function loadAdministration(
  ctx: Context,
  action?: AdminAction,
): Promise<Administration> {
  const { createAdministration } = await import("../../administration/administration.ts");
  return createAdministration(ctx, action);
}
