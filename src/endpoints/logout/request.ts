import { OAuthError } from "../../protocol/oauth_error.ts";
import type { ReturnAddress } from "../../protocol/logout_request.ts";
import { logoutParameters, readLogoutClientId, readReturnAddress } from "../../protocol/logout_request.ts";
import type { Parameters } from "../../protocol/parameters.ts";
import { checkLengths } from "../../protocol/parameter_lengths.ts";
import { refuseRepeats, toParameters } from "../../protocol/parameters.ts";
import type { Client } from "../../protocol/client.ts";
import { lookUpClient } from "../../issuer/clients/clients.ts";
import type { Context } from "../../issuer/context.ts";
import type { IdTokenHint } from "../../issuer/requests/id_token_hint.ts";
import { readIdTokenHint } from "../../issuer/requests/id_token_hint.ts";
import { chargeForStorage } from "../../issuer/limits/stored_bytes.ts";
import { randomSecret } from "../../issuer/random.ts";
import { after } from "../../issuer/time.ts";

const see = "OpenID Connect RP-Initiated Logout, section 2";

/** What a client asks when it sends a person here to sign out, once it has been found in order. */
export interface LogoutRequest {
  hint?: IdTokenHint;
  client?: Client;
  returnTo: ReturnAddress;
}

/**
 * Reads a request to sign out. An error is a page: there is no address yet that it could be
 * redirected to.
 */
export async function readLogoutRequest(ctx: Context, request: Request, parameters: Parameters): Promise<LogoutRequest> {
  refuseRepeats(parameters);
  checkLengths(parameters);
  return await checkRequest(ctx, request, parameters, await readHint(ctx, parameters.get("id_token_hint")));
}

async function checkRequest(ctx: Context, request: Request, parameters: Parameters, hint?: IdTokenHint): Promise<LogoutRequest> {
  const clientId = readLogoutClientId(parameters, hint);
  const client = clientId === undefined ? undefined : await lookUpClient(ctx, request, clientId);
  if (clientId !== undefined && !client) throw new OAuthError("invalid_request", "The client is not known here.", { see });
  return { hint, client, returnTo: readReturnAddress(parameters, client) };
}

/** Keeps a request until its person has answered. It is read anew then: client and URIs may have changed. */
export async function keepLogoutRequest(ctx: Context, request: Request, parameters: Parameters, hint?: IdTokenHint): Promise<string> {
  const handle = randomSecret(ctx);
  const sent = logoutParameters.map((name) => [name, parameters.get(name)]).filter(([, value]) => value !== undefined);
  const kept = { hint, parameters: Object.fromEntries(sent) };
  chargeForStorage(ctx, request, kept);
  await ctx.records.logoutRequests.put(handle, kept, after(ctx, ctx.settings.lifetimes.interaction));
  return handle;
}

export async function findLogoutRequest(ctx: Context, request: Request, handle: string): Promise<LogoutRequest> {
  const kept = await ctx.records.logoutRequests.find(handle);
  if (kept) return await checkRequest(ctx, request, toParameters(Object.entries(kept.parameters)), kept.hint);
  throw new OAuthError("invalid_request", "This request to sign out has expired. Go back to the application and start again.");
}

async function readHint(ctx: Context, text: string | undefined): Promise<IdTokenHint | undefined> {
  const hint = text === undefined ? undefined : await readIdTokenHint(ctx, text);
  if (text !== undefined && !hint) {
    throw new OAuthError("invalid_request", "The id_token_hint is not an ID token that this server issued.", { see });
  }
  return hint;
}
