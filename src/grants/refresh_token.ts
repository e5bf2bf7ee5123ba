import type { Context } from "../issuer/context.ts";
import type { RefreshToken } from "../issuer/records/rows.ts";
import {
  extendRefreshToken,
  keepsRefreshTokens,
  successorOf,
} from "../issuer/tokens/refresh_tokens.ts";
import { narrowAccessRights } from "../protocol/access_request.ts";
import { detailsOfTypes } from "../protocol/authorization_details.ts";
import { requireParameter } from "../protocol/form_parameters.ts";
import { keepAllowedResources } from "../protocol/resource.ts";
import { narrowScope } from "../protocol/scope.ts";
import type { Grant } from "./grant.ts";
import {
  checkKey,
  consumeCredential,
  findCredential,
  type OneTimeCredential,
} from "./one_time_credential.ts";

/** A client goes on with what was allowed before (OAuth 2.1, section 4.3). */
export const refreshToken: Grant = {
  type: "refresh_token",
  async redeem(ctx, { client, parameters, jkt }) {
    const secret = requireParameter(parameters, "refresh_token", "OAuth 2.1, section 4.3");
    const token = await findCredential(ctx, client, {
      table: ctx.records.refreshTokens,
      secret,
      name: "refresh token",
    });
    checkKey(token, jkt);
    const { authorization } = token;
    // What the client has lost since, it does not get again.
    const access = narrowAccessRights(parameters, {
      scope: narrowScope(
        parameters.get("scope"),
        authorization.scope.filter((token) => client.scopes.includes(token)),
      ),
      resources: keepAllowedResources(authorization.resources, client.allowedResources),
      authorizationDetails: detailsOfTypes(
        authorization.authorizationDetails,
        client.authorizationDetailsTypes,
      ),
    });
    const keep = keepsRefreshTokens(ctx, client, token.value) && !token.used;
    const use = keep
      ? () => extendRefreshToken(ctx, secret, token.value, authorization)
      : () => consumeCredential(ctx, token, () => isWithinGrace(ctx, token));
    return {
      entitlement: { ...access, authorization, refreshed: { token: secret, keep } },
      consume: use,
    };
  },
};

/** A client whose answer was lost may ask again for a while, unless the successor is in use already, or a key guards the token. */
async function isWithinGrace(
  ctx: Context,
  { secret, value }: OneTimeCredential<RefreshToken>,
): Promise<boolean> {
  const grace = ctx.settings.refreshReuseGrace * 1000;
  const spent = await ctx.records.refreshTokens.get(secret);
  if (grace === 0 || value.jkt !== undefined || spent?.usedAt === undefined) return false;
  // A clock that was put back must not prolong it.
  if (Math.abs(ctx.now() - spent.usedAt) > grace) return false;
  const successor = await ctx.records.refreshTokens.get(await successorOf(ctx, secret));
  return successor?.usedAt === undefined;
}
