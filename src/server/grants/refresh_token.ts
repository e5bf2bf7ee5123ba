import { defaultRefreshGrace } from "../config/make_client.ts";
import type { Context } from "../issuer/context.ts";
import type { Authorization, RefreshToken } from "../issuer/records/rows.ts";
import { checkCertificate } from "../issuer/tokens/proof_of_possession.ts";
import { extendedRefreshToken, successorToken } from "../issuer/tokens/refresh_tokens.ts";
import { findUser, permittedScope } from "../issuer/users/users.ts";
import type { AccessRights } from "../model/access_token.ts";
import { alwaysAuthenticates, type Client, isPublic } from "../model/client.ts";
import type { User } from "../model/user.ts";
import {
  keepAllowedResources,
  narrowAccessRights,
  readRequestedAccess,
  type RequestedAccess,
} from "../protocol/access_request.ts";
import { detailsOfTypes } from "../protocol/authorization_details.ts";
import { certificateRules } from "../protocol/certificate_rules.ts";
import { refreshTokenRules } from "../protocol/credential_rules.ts";
import { grantsAnything } from "../protocol/pending_request.ts";
import { ignoredScopes, narrowScope } from "../protocol/scope.ts";
import type { CredentialUse, Grant } from "./grant.ts";
import {
  authorizeByUnknown,
  type OneTimeCredential,
  requireCredential,
  useOnce,
} from "./one_time_credential.ts";

/** Redeems a refresh token (OAuth 2.1, section 4.3). */
export const refreshTokenGrant: Grant = {
  type: "refresh_token",
  async redeem(ctx, { client, parameters, jkt }) {
    const presented = {
      rules: refreshTokenRules,
      table: ctx.records.refreshTokens,
      secret: parameters.get("refresh_token"),
    };
    const requested = readRequestedAccess(parameters, ctx.settings);
    const presumed = ctx.hooks.admits?.grant &&
      await authorizeByUnknown(ctx, client, { ...presented, kind: "refresh_token", requested });
    if (presumed) {
      const access = await refreshedAccess(ctx, requested, client, { authorization: presumed });
      return { entitlement: { ...access, authorization: presumed } };
    }
    const credential = await requireCredential(ctx, client, presented);
    const { secret, value, used, authorization, user } = credential;
    // Throws before anything is issued. The use asks again: another request may come in between.
    if (used) await mayRepeat(ctx, client, credential);
    if (value.jkt !== undefined) {
      ctx.apply(refreshTokenRules.key, { received: jkt, expected: value.jkt });
    }
    await checkCertificate(ctx, certificateRules.refresh_token, value.certificateThumbprint);
    const access = await refreshedAccess(ctx, requested, client, credential);
    // Those of a public client are rotated, or bound to a key (OAuth 2.1, section 4.3.1).
    const isKept = ctx.settings.refreshTokens === "keep" && !used &&
      (!isPublic(client) || isBound(value));
    return {
      entitlement: {
        ...access,
        authorization,
        user,
        presentedRefreshToken: { token: secret, row: value, isKept, isRepeated: used },
      },
      ...isKept
        ? { rows: [extendedRefreshToken(ctx, secret, value, authorization)] }
        : { use: useRefreshToken(ctx, client, credential) },
    };
  },
};

/** Consumes a refresh token. One that the response issues again starts anew. */
function useRefreshToken(
  ctx: Context,
  client: Client,
  credential: OneTimeCredential<RefreshToken>,
): CredentialUse {
  const { secret, value, authorization } = credential;
  const use = useOnce(ctx, credential, async () => {
    const isRepeat = await mayRepeat(ctx, client, credential);
    const repeated = { authorization: authorization.id, client: client.id };
    if (isRepeat) ctx.emit({ type: "refresh.repeated", ...repeated });
    return isRepeat;
  });
  return {
    mark: use.mark,
    async check(isFirst, issued) {
      await use.check(isFirst, issued);
      if (issued.refresh_token !== secret) return;
      await ctx.records.batch(extendedRefreshToken(ctx, secret, value, authorization));
    },
  };
}

/** Narrows the granted access to the request, and to what the client may still have. */
async function refreshedAccess(
  ctx: Context,
  requested: RequestedAccess,
  client: Client,
  { authorization, user: known }: { authorization: Authorization; user?: User },
): Promise<AccessRights> {
  const { scope, resources, authorizationDetails } = authorization;
  const granted = scope.filter((token) => client.scopes.includes(token));
  // By itself, no server lets a refresh add anything.
  const { admits } = ctx.hooks;
  const addable = admits?.scope && requested.scope ? client.scopes.filter(admits.scope) : [];
  // The authorization request ignores it without a consent page; MSAL always sends it again. So do
  // others with what that request ignored because no scope has this name.
  const isUnknown = scope.includes("openid") ? ignoredScopes(client, ctx.settings) : () => false;
  const isDroppable = (token: string) =>
    (token === "offline_access" && client.scopes.includes(token)) || isUnknown(token);
  const access = narrowAccessRights(ctx.apply, requested, {
    scope: narrowScope(ctx.apply, requested.scope, [...granted, ...addable], isDroppable),
    resources: keepAllowedResources(ctx.apply, resources, client.allowedResources),
    authorizationDetails: detailsOfTypes(authorizationDetails, client.authorizationDetailsTypes),
  }, ctx.settings);
  // The policy may leave less than was granted; the response then names the scope.
  const user = ctx.settings.policies.scope &&
    (known ?? await findUser(ctx, authorization.userName));
  if (!user) return access;
  const permitted = await permittedScope(ctx, user, client, access.scope, "refresh");
  ctx.apply(refreshTokenRules.scope_permitted, {
    isAny: grantsAnything({ scope: permitted, authorizationDetails }),
  });
  return { ...access, scope: permitted };
}

/** Whether a key protects a refresh token. */
function isBound({ jkt, certificateThumbprint }: RefreshToken): boolean {
  return (jkt ?? certificateThumbprint) !== undefined;
}

/**
 * Whether a used refresh token may be used again: for a short time, because the response was
 * probably lost, or the client sent two requests at once, unless a key protects the token. Throws if
 * the successor is in use, and only the client itself can have sent both.
 */
async function mayRepeat(
  ctx: Context,
  client: Client,
  { secret, value, authorization }: OneTimeCredential<RefreshToken>,
): Promise<boolean> {
  const grace = client.refreshReuseGrace ?? ctx.settings.refreshReuseGrace ??
    defaultRefreshGrace(client);
  const row = await ctx.records.refreshTokens.get(secret);
  if (grace === 0 || isBound(value) || row?.usedAt === undefined) return false;
  // The difference is absolute, so that setting the clock back does not extend the time.
  if (Math.abs(ctx.now() - row.usedAt) > grace * 1000) return false;
  const successor = await successorToken(ctx, authorization.clientId, secret);
  const isUsed = (await ctx.records.refreshTokens.get(successor))?.usedAt !== undefined;
  // A thief may have used the tokens of a client that does not authenticate.
  if (isUsed && !alwaysAuthenticates(client)) return false;
  ctx.apply(refreshTokenRules.repeat, { isUsed });
  return true;
}
