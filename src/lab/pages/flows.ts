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
import { hour } from "../../util/duration.ts";
import { sha256 } from "../../util/hash.ts";

/** A flow that the lab started itself, in the part of the client. */
export interface Flow {
  clientId: string;
  redirectUri: string;
  codeVerifier: string;
  /** The browser it was started for. */
  browser: string;
}

/** As much of a flow as is asked for. */
type FlowLink = Pick<Flow, "clientId" | "redirectUri" | "codeVerifier">;

/** What a newcomer asks for first. */
const sampleScope = "openid profile read";

/** Paths of the lab that play a client's redirect URI. */
export const callbackPaths = ["/authorized", "/callback"];

/** The redirect URI of a client that the lab itself answers, if it has one. */
export function ownRedirectUri(frontChannelUrl: string, client: ClientConfig): string | undefined {
  const own = callbackPaths.map((path) => issuerUrl(frontChannelUrl, path));
  return own.find((uri) =>
    client.redirectUris?.some((registered) =>
      redirectUriMatches(registered, uri, client.native ?? false)
    )
  );
}

/** Writes an authorization request as a client would, with everything that makes it safe. */
export async function authorizationLink(
  ctx: Context,
  flow: FlowLink,
  state: string,
): Promise<string> {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: flow.clientId,
    redirect_uri: flow.redirectUri,
    scope: sampleScope,
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

/** Pushes a request where the server takes it in no other way (RFC 9126). */
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

/** Starts a flow for a browser: the verifier stays here, and the state finds it again. */
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

/** Finds the flow of a callback, for the browser that it was started for and no other. */
export async function findFlow(
  flows: Table<Flow>,
  state: string | undefined,
  browser: string | undefined,
): Promise<Flow | undefined> {
  const flow = state === undefined ? undefined : await flows.find(state);
  return flow?.browser === browser ? flow : undefined;
}
