import { lookUpClient } from "../../issuer/clients/clients.ts";
import type { Context } from "../../issuer/context.ts";
import { chargeForStorage } from "../../issuer/limits/stored_bytes.ts";
import { randomSecret } from "../../issuer/random.ts";
import { type IdTokenHint, readIdTokenHint } from "../../issuer/requests/id_token_hint.ts";
import { fromNow } from "../../issuer/time.ts";
import type { Client } from "../../model/client.ts";
import {
  checkParameterLengths,
  checkRepeatedParameters,
  type FormParameters,
  toParameters,
} from "../../protocol/form_parameters.ts";
import {
  logoutParameters,
  type PostLogoutRedirect,
  readLogoutClientId,
  readPostLogoutRedirect,
} from "../../protocol/logout_request.ts";
import { errorFactory } from "../../protocol/oauth_error.ts";

const invalidRequest = errorFactory("invalid_request");

const see = "OpenID Connect RP-Initiated Logout, section 2";

/** What a client asks when it sends a person here to sign out, once it has been found in order. */
export interface ResolvedLogoutRequest {
  hint?: IdTokenHint;
  client?: Client;
  returnTo: PostLogoutRedirect;
}

/**
 * Reads a request to sign out. An error is a page: there is no address yet that it could be
 * redirected to.
 */
export async function readLogoutRequest(
  ctx: Context,
  request: Request,
  parameters: FormParameters,
): Promise<ResolvedLogoutRequest> {
  checkRepeatedParameters(parameters);
  checkParameterLengths(parameters);
  return await checkRequest(
    ctx,
    request,
    parameters,
    await readHint(ctx, parameters.get("id_token_hint")),
  );
}

async function checkRequest(
  ctx: Context,
  request: Request,
  parameters: FormParameters,
  hint?: IdTokenHint,
): Promise<ResolvedLogoutRequest> {
  const clientId = readLogoutClientId(parameters, hint);
  const client = clientId === undefined ? undefined : await lookUpClient(ctx, request, clientId);
  if (clientId !== undefined && !client) {
    throw invalidRequest("The client is not known here.", { see });
  }
  return { hint, client, returnTo: readPostLogoutRedirect(parameters, client) };
}

/** Keeps a request until its person has answered. It is read anew then: client and URIs may have changed. */
export async function storeLogoutRequest(
  ctx: Context,
  request: Request,
  parameters: FormParameters,
  hint?: IdTokenHint,
): Promise<string> {
  const handle = randomSecret(ctx);
  const sent = logoutParameters.map((name) => [name, parameters.get(name)]).filter(([, value]) =>
    value !== undefined
  );
  const kept = { hint, parameters: Object.fromEntries(sent) };
  chargeForStorage(ctx, request, kept);
  await ctx.records.logoutRequests.put(
    handle,
    kept,
    fromNow(ctx, ctx.settings.lifetimes.interaction),
  );
  return handle;
}

export async function findLogoutRequest(
  ctx: Context,
  request: Request,
  handle: string,
): Promise<ResolvedLogoutRequest> {
  const kept = await ctx.records.logoutRequests.find(handle);
  if (kept) {
    return await checkRequest(
      ctx,
      request,
      toParameters(Object.entries(kept.parameters)),
      kept.hint,
    );
  }
  throw invalidRequest(
    "This request to sign out has expired. Go back to the application and start again.",
  );
}

async function readHint(ctx: Context, text: string | undefined): Promise<IdTokenHint | undefined> {
  const hint = text === undefined ? undefined : await readIdTokenHint(ctx, text);
  if (text !== undefined && !hint) {
    throw invalidRequest("The id_token_hint is not an ID token that this server issued.", { see });
  }
  return hint;
}
