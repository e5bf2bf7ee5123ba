import { framePropsIn, pageResponse } from "../../endpoints/responses/page_response.ts";
import { readQuery } from "../../http/incoming_request.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { findClient } from "../../issuer/clients/clients.ts";
import { browserEndpointUrl, type Context, type RequestContext } from "../../issuer/context.ts";
import { type Client, isPublic } from "../../model/client.ts";
import { english } from "../../pages/languages/languages.ts";
import type { AuthorizedProps } from "./authorized.tsx";
import { type Callback, readCallback, rejectOtherIssuer } from "./callback.ts";
import { authorizedPages, startPath } from "./config.ts";
import {
  findOwnFlow,
  findStartableClient,
  forgetOwnFlow,
  type OwnFlow,
} from "./start_authorization.ts";

/** Serves as a redirect URI for trying things by hand: shows the response and the next step. */
export async function authorized(ctx: RequestContext): Promise<ResponseData> {
  const received = readCallback(readQuery(ctx));
  const flow = findOwnFlow(ctx, received.state);
  // If the page did not start the flow, it cannot know which issuer the client expects.
  const callback = flow ? rejectOtherIssuer(received, ctx.settings.issuer) : received;
  const props = {
    ...await authorizedProps(ctx, callback),
    ...flow && !callback.hasError && await ownFlowProps(ctx, flow),
    startAgain: await startUrl(ctx, callback, flow),
  };
  const headers = flow ? [forgetOwnFlow(ctx)] : [];
  return await pageResponse(authorizedPages.of(ctx.settings.pages).authorized(props), 200, headers);
}

/** Returns what the page shows about a callback of an unknown flow. */
export async function authorizedProps(
  ctx: RequestContext,
  callback: Callback,
): Promise<AuthorizedProps> {
  const { origin } = new URL(ctx.settings.frontChannelUrl);
  const shared = {
    ...await framePropsIn(await english.load(), ctx),
    state: callback.state,
    tokenEndpoint: browserEndpointUrl(ctx, "token_endpoint"),
    // The browser came here with the redirect URI of the request.
    redirectUri: `${origin}${new URL(ctx.request.url).pathname}`,
  };
  if (callback.hasError) {
    return {
      ...shared,
      hasError: true,
      error: callback.error,
      errorDescription: callback.errorDescription,
      isAbsent: callback.isAbsent,
      code: "",
    };
  }
  return { ...shared, hasError: false, error: "", code: callback.code };
}

/** Returns what the page knows about a flow that it started, without secrets. */
async function ownFlowProps(
  ctx: Context,
  { clientId, codeVerifier }: OwnFlow,
): Promise<Partial<AuthorizedProps>> {
  const client = await findClient(ctx, clientId);
  return {
    clientId,
    codeVerifier,
    ...client && { authentication: authenticationKind(client) },
    ...client?.dpop === "required" && { dpopProof: "<DPOP_PROOF>" },
  };
}

function authenticationKind(client: Client): AuthorizedProps["authentication"] {
  if (isPublic(client)) return "none";
  const usesSecret = client.authentication.some((method) => /_(basic|post)$/.test(method));
  return usesSecret ? "secret" : "key";
}

/** Returns the URL that starts the client of this flow again, or else the first client. */
async function startUrl(
  ctx: Context,
  callback: Callback,
  flow: OwnFlow | undefined,
): Promise<string | undefined> {
  const ended = flow?.clientId ?? await clientOfCode(ctx, callback);
  const same = ended === undefined ? undefined : await findStartableClient(ctx, ended);
  const client = same ?? await findStartableClient(ctx);
  return client && `${ctx.settings.base}${startPath}?client_id=${encodeURIComponent(client.id)}`;
}

async function clientOfCode(ctx: Context, callback: Callback): Promise<string | undefined> {
  if (callback.hasError) return undefined;
  const { codes, authorizations } = ctx.records;
  const code = await codes.find(callback.code);
  const authorization = code && await authorizations.find(code.authorization);
  return authorization?.clientId;
}
