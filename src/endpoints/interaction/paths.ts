import type { Context } from "../../issuer/context.ts";

/** Where a request waits for its person, and where the forms of its pages are taken. */
export function interactionPath(
  ctx: Context,
  id: string,
  step?: "sign-in" | "account" | "consent",
): string {
  return `${ctx.settings.base}/oauth2/interaction/${id}${step ? `/${step}` : ""}`;
}
