import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import { claimsBeyond } from "../../protocol/claims_request.ts";
import type { Client } from "../../protocol/client.ts";
import { mayRememberConsent } from "../../protocol/client_trust.ts";
import type { User } from "../../protocol/user.ts";
import type { Context } from "../context.ts";
import { joinedId, partsOf } from "../records/joined_id.ts";
import { forever } from "../records/table.ts";

/** What consent is given to: a scope, at resources, and claims beside it. */
type Asked = Pick<AuthorizationRequest, "scope" | "resources" | "claims" | "authorizationDetails">;

/** Whether a person has already allowed a client all that it asks for, and need not be asked again. */
export async function hasConsented(ctx: Context, user: User, client: Client, asked: Asked): Promise<boolean> {
  if (!mayRememberConsent(client)) return false;
  // What is asked for in detail, a payment perhaps, is meant once: it is asked again each time.
  if (asked.authorizationDetails) return false;
  const consent = await ctx.records.consents.find(consentId(user, client));
  if (!consent) return false;
  const { claims = [] } = consent;
  if (!claimsBeyond(asked.scope, asked.claims).every((name) => claims.includes(name))) return false;
  return placesOf(asked).every((place) => asked.scope.every((token) => consent.scopeAt[place]?.includes(token)));
}

/** Remembers what a person allowed, beside what was allowed before. */
export async function rememberConsent(ctx: Context, user: User, client: Client, asked: Asked): Promise<void> {
  if (!mayRememberConsent(client)) return;
  const before = await ctx.records.consents.find(consentId(user, client));
  const scopeAt = { ...before?.scopeAt };
  for (const place of placesOf(asked)) scopeAt[place] = [...new Set([...scopeAt[place] ?? [], ...asked.scope])];
  const claims = [...new Set([...before?.claims ?? [], ...claimsBeyond(asked.scope, asked.claims)])];
  await ctx.records.consents.put(consentId(user, client), { scopeAt, claims, since: before?.since ?? ctx.now() }, forever);
}

/** Forgets every consent of which something is true: whoever comes next under those names has to ask. */
export async function withdrawConsents(ctx: Context, isMeant: (between: { subject: string; clientId: string }) => boolean): Promise<void> {
  for (const [id] of await ctx.records.consents.list()) {
    const [subject, clientId] = partsOf(id);
    if (!isMeant({ subject, clientId })) continue;
    await ctx.records.consents.delete(id);
    ctx.emit({ type: "consent.withdrawn", subject, client: clientId });
  }
}

function placesOf({ resources }: Asked): readonly string[] {
  return resources.length > 0 ? resources : [""];
}

function consentId(user: User, client: Client): string {
  return joinedId(user.subject, client.id);
}
