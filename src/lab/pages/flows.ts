import { findClient } from "../../issuer/clients/clients.ts";
import { type Context, endpointUrl } from "../../issuer/context.ts";
import { randomSecret } from "../../issuer/random.ts";
import type { Table } from "../../issuer/records/table.ts";
import { pushRequest } from "../../issuer/requests/pushed_requests.ts";
import { resolveRequestToPush } from "../../issuer/requests/resolve_request.ts";
import { fromNow } from "../../issuer/time.ts";
import type { ClientConfig } from "../../model/client_config.ts";
import { toParameters } from "../../protocol/form_parameters.ts";
import { issuerUrl } from "../../protocol/issuer_url.ts";
import { redirectUriMatches } from "../../protocol/redirect_uri.ts";
import { formatScope } from "../../protocol/scope.ts";
import { hour } from "../../util/duration.ts";
import { sha256 } from "../../util/hash.ts";

/** A flow that the lab started itself, in the role of the client. */
export interface Flow {
  clientId: string;
  redirectUri: string;
  codeVerifier: string;
  /** The hash of the browser that started it. */
  browser: string;
}

/** What an authorization link is made of. */
type FlowLink = Pick<Flow, "clientId" | "redirectUri" | "codeVerifier">;

/** The scope of a flow that the lab starts. */
const sampleScope = ["openid", "profile", "read"];

/** The paths of the lab that can be the redirect URI of a client. */
export const callbackPaths: readonly string[] = ["/authorized", "/callback"];

/** Returns the redirect URI of a client that leads to the lab itself, if it has one. */
export function ownRedirectUri(frontChannelUrl: string, client: ClientConfig): string | undefined {
  const own = callbackPaths.map((path) => issuerUrl(frontChannelUrl, path));
  return own.find((uri) =>
    client.redirectUris?.some((registered) =>
      redirectUriMatches(registered, uri, client.native ?? false)
    )
  );
}

/** Creates an authorization request as a careful client does: with state, nonce and PKCE. */
export async function authorizationLink(
  ctx: Context,
  flow: FlowLink,
  state: string,
): Promise<string> {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: flow.clientId,
    redirect_uri: flow.redirectUri,
    scope: formatScope(await sampleScopeFor(ctx, flow.clientId)),
    state,
    nonce: randomSecret(ctx),
    code_challenge: await sha256(flow.codeVerifier),
    code_challenge_method: "S256",
  });
  return `${endpointUrl(ctx, "authorization_endpoint")}?${await pushedIfNeeded(
    ctx,
    flow.clientId,
    query,
  )}`;
}

/** Returns as much of the sample scope as a client may ask for, or else all that it may. */
async function sampleScopeFor(ctx: Context, clientId: string): Promise<readonly string[]> {
  const { scopes = [] } = await findClient(ctx, clientId) ?? {};
  const sample = sampleScope.filter((token) => scopes.includes(token));
  return sample.length > 0 ? sample : scopes;
}

/** Pushes the request if the client must (RFC 9126). */
async function pushedIfNeeded(
  ctx: Context,
  client_id: string,
  query: URLSearchParams,
): Promise<URLSearchParams> {
  const client = await findClient(ctx, client_id);
  if (!client?.requirePar) return query;
  const authorizationRequest = await resolveRequestToPush(ctx, client, toParameters([...query]));
  return new URLSearchParams({
    client_id,
    request_uri: await pushRequest(ctx, authorizationRequest, ctx.settings.lifetimes.pushedRequest),
  });
}

/**
 * Starts a flow for a browser. The state of the callback finds the flow, with its verifier, again.
 */
export async function startFlow(
  ctx: Context,
  flows: Table<Flow>,
  start: Omit<Flow, "codeVerifier">,
): Promise<string> {
  const flow = { ...start, codeVerifier: randomSecret(ctx) };
  const state = randomSecret(ctx);
  await flows.put(state, flow, fromNow(ctx, 1 * hour));
  return await authorizationLink(ctx, flow, state);
}

/** Finds the flow of a callback, but only for the browser that started it. */
export async function findFlow(
  flows: Table<Flow>,
  state: string | undefined,
  browser: string | undefined,
): Promise<Flow | undefined> {
  const flow = state === undefined ? undefined : await flows.find(state);
  return flow?.browser === browser ? flow : undefined;
}
