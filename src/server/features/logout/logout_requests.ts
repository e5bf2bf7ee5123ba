import { featuresOf } from "../../issuer/active_features.ts";
import { requireClient } from "../../issuer/clients/clients.ts";
import { type RequestContext, serverPart } from "../../issuer/context.ts";
import { chargeForStorage } from "../../issuer/limits/budget.ts";
import { randomSecret } from "../../issuer/random.ts";
import { type IdTokenHint, requireIdTokenHint } from "../../issuer/requests/id_token_hint.ts";
import { fromNow } from "../../issuer/time.ts";
import type { Client } from "../../model/client.ts";
import {
  checkParameterLengths,
  checkRepeatedParameters,
  type FormParameters,
  toParameters,
} from "../../protocol/form_parameters.ts";
import type { SubjectHint } from "../../protocol/interactive_request.ts";
import { requirePresent } from "../../protocol/rule.ts";
import { logoutPages, logoutPaths } from "./config.ts";
import {
  logoutParameters,
  logoutRules,
  type PostLogoutRedirect,
  readLogoutClientId,
  readPostLogoutRedirect,
} from "./logout_request.ts";

/** A logout request that waits for the user. */
export interface StoredLogoutRequest {
  /** The claims of its ID token. The token itself is a credential elsewhere and is not stored. */
  hint?: SubjectHint & { sid?: string | undefined; authorization?: string | undefined } | undefined;
  parameters: Record<string, string>;
}

export const logoutParts = serverPart(({ settings, records: { open } }) => ({
  path: logoutPaths.of(settings.paths).logout,
  pages: logoutPages.of(settings.pages),
  requests: open.secret<StoredLogoutRequest>("logout-request"),
}));

export interface ResolvedLogoutRequest {
  hint: IdTokenHint | undefined;
  client: Client | undefined;
  returnTo: PostLogoutRedirect;
}

/**
 * Reads a logout request. Errors are shown as a page, because no redirect URI is known to be valid.
 */
export async function readLogoutRequest(
  ctx: RequestContext,
  parameters: FormParameters,
): Promise<ResolvedLogoutRequest> {
  checkRepeatedParameters(ctx.apply, parameters, { known: featuresOf(ctx).parameters });
  checkParameterLengths(ctx.apply, parameters);
  const token = parameters.get("id_token_hint");
  const hint = token === undefined ? undefined : await requireIdTokenHint(ctx, token);
  return await resolveLogoutRequest(ctx, parameters, hint);
}

/**
 * Stores a request until the user has confirmed it. After that it is resolved again, because the
 * client may have changed.
 */
export async function storeLogoutRequest(
  ctx: RequestContext,
  parameters: FormParameters,
  hint: IdTokenHint | undefined,
): Promise<string> {
  const handle = randomSecret(ctx);
  const parameterEntries = logoutParameters.map((name) => [name, parameters.get(name)]).filter((
    [, value],
  ) => value !== undefined);
  const row = { hint, parameters: Object.fromEntries(parameterEntries) };
  chargeForStorage(ctx, row);
  const expiresAt = fromNow(ctx, ctx.settings.lifetimes.interaction);
  await logoutParts(ctx).requests.put(handle, row, expiresAt);
  return handle;
}

export async function findLogoutRequest(
  ctx: RequestContext,
  handle: string,
): Promise<ResolvedLogoutRequest> {
  const found = await logoutParts(ctx).requests.find(handle);
  const row = requirePresent(ctx.apply, logoutRules.current, found);
  const parameters = toParameters(Object.entries(row.parameters));
  return await resolveLogoutRequest(ctx, parameters, row.hint);
}

async function resolveLogoutRequest(
  ctx: RequestContext,
  parameters: FormParameters,
  hint: IdTokenHint | undefined,
): Promise<ResolvedLogoutRequest> {
  // A client that signs hints can name any authorization.
  const named = hint?.authorization && await ctx.records.authorizations.find(hint.authorization);
  if (named) ctx.note({ authorization: named.id });
  const clientId = readLogoutClientId(ctx.apply, parameters, hint);
  const client = clientId === undefined ? undefined : await requireClient(ctx, clientId);
  return { hint, client, returnTo: readPostLogoutRedirect(parameters, client) };
}
