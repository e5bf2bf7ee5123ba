import { OAuthError } from "../protocol/oauth_error.ts";
import { required } from "../protocol/parameters.ts";
import { narrowResources } from "../protocol/resource.ts";
import { scopeWithin } from "../protocol/scope.ts";
import type { Context } from "../issuer/context.ts";
import { findStanding } from "../issuer/standing.ts";
import type { Grant } from "./grant.ts";
import { spend } from "./spend.ts";

const section = "OAuth 2.1, section 4.3";

/** Goes on with what was allowed before. Each refresh token is used once (OAuth 2.1, section 4.3.1). */
export const refreshToken: Grant = {
  type: "refresh_token",
  async redeem(ctx, { client, parameters }) {
    const secret = required(parameters, "refresh_token", section);
    const entry = await ctx.records.refreshTokens.get(secret);
    const standing = entry && await findStanding(ctx, entry.value.authorization);
    if (!standing || standing.client.id !== client.id) {
      throw new OAuthError("invalid_grant", "The refresh token is unknown, expired, revoked, or another client's.", { see: section });
    }
    const { authorization } = standing;
    const scope = scopeWithin(parameters.get("scope"), authorization.scope, authorization.scope);
    const resources = narrowResources(parameters.all("resource"), authorization.resources);
    await spend(ctx, {
      table: ctx.records.refreshTokens,
      secret,
      authorization,
      what: "refresh token",
      isRepeat: () => isWithinGrace(ctx, secret),
    });
    ctx.emit({ type: "refresh_token.rotated", authorization: authorization.id, client: client.id });
    return { subject: authorization.subject, scope, resources, authorization, refreshToken: secret };
  },
};

/** A client whose answer was lost may ask again for a while, unless the successor is in use already. */
async function isWithinGrace(ctx: Context, secret: string): Promise<boolean> {
  const grace = ctx.config.refreshReuseGrace * 1000;
  const spent = await ctx.records.refreshTokens.get(secret);
  if (grace === 0 || spent?.usedAt === undefined || ctx.now() - spent.usedAt > grace) return false;
  const successor = await ctx.records.refreshTokens.get(await ctx.keys.derive(secret));
  return successor?.usedAt === undefined;
}
