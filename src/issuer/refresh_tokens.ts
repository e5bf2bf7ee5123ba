import type { Client } from "../protocol/client.ts";
import { mayRefresh } from "../protocol/client.ts";
import type { Context } from "./context.ts";
import type { Entitlement } from "./entitlement.ts";
import { randomSecret } from "./random.ts";
import { after } from "./time.ts";

/** Makes a refresh token for a client that may have one. */
export async function issueRefreshToken(
  ctx: Context,
  client: Client,
  { authorization, follows }: Entitlement,
): Promise<string | undefined> {
  if (!authorization || !mayRefresh(client)) return undefined;
  const token = follows === undefined ? randomSecret(ctx) : await successorOf(ctx, follows);
  const end = Math.min(authorization.issuingUntil, after(ctx, ctx.settings.lifetimes.refreshIdle));
  await ctx.records.refreshTokens.add(token, { authorization: authorization.id }, end);
  return token;
}

/** The token that follows another one. It is derived, so that a client whose answer was lost can be given it again. */
export function successorOf(ctx: Context, token: string): Promise<string> {
  return ctx.derive("refresh-token", token);
}
