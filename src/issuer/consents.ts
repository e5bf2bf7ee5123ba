import type { Client } from "../protocol/client.ts";
import { scopeBeyond } from "../protocol/scope.ts";
import type { Context } from "./context.ts";
import { forever } from "./records.ts";
import type { User } from "./rows.ts";

/** Whether a person has already allowed a client all of a scope, and need not be asked again. */
export async function hasConsented(ctx: Context, user: User, client: Client, scope: readonly string[]): Promise<boolean> {
  if (!client.rememberConsent) return false;
  const entry = await ctx.records.consents.get(consentId(user, client));
  return entry !== undefined && scopeBeyond(scope, entry.value.scope).length === 0;
}

/** Remembers what a person allowed, beside what they had allowed before. */
export async function rememberConsent(ctx: Context, user: User, client: Client, scope: readonly string[]): Promise<void> {
  const before = await ctx.records.consents.get(consentId(user, client));
  const all = new Set([...before?.value.scope ?? [], ...scope]);
  await ctx.records.consents.put(consentId(user, client), { scope: [...all] }, forever);
}

/** Names and ids may hold anything, so neither may run into the other. */
function consentId(user: User, client: Client): string {
  return `${encodeURIComponent(user.name)}/${encodeURIComponent(client.id)}`;
}
