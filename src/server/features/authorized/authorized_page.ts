import { framePropsIn, pageResponse } from "../../endpoints/responses/page_response.ts";
import { readQuery } from "../../http/incoming_request.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { findClient } from "../../issuer/clients/clients.ts";
import { browserEndpointUrl, type Context, type RequestContext } from "../../issuer/context.ts";
import { english } from "../../pages/languages/languages.ts";
import type { AuthorizedProps } from "./authorized.tsx";
import { type Callback, readCallback, rejectOtherIssuer } from "./callback.ts";
import { authorizedPages, startPath } from "./config.ts";
import { findOwnFlow, findStartableClient, forgetOwnFlow } from "./start_authorization.ts";
import { tokenRequestExamples } from "./token_request.ts";

/** Serves as a redirect URI for trying things by hand: shows the response and the next step. */
export async function authorized(ctx: RequestContext): Promise<ResponseData> {
  const received = readCallback(readQuery(ctx));
  const flow = findOwnFlow(ctx, received.state);
  // If the page did not start the flow, it cannot know which issuer the client expects.
  const callback = flow ? rejectOtherIssuer(received, ctx.settings.issuer) : received;
  const startAgain = await startUrl(ctx, flow?.clientId ?? await clientOfCode(ctx, callback));
  const props = await authorizedProps(ctx, callback, { ...flow, startAgain });
  const headers = flow ? [forgetOwnFlow(ctx)] : [];
  return await pageResponse(authorizedPages.of(ctx.settings.pages).authorized(props), 200, headers);
}

type KnownName =
  | "clientId"
  | "codeVerifier"
  | "tokenEndpoint"
  | "startAgain"
  | "exchangeUrl"
  | "command";

/** Returns what the page shows about a callback, without secrets, and about its flow. */
export async function authorizedProps(
  ctx: RequestContext,
  callback: Callback,
  known: { [Name in KnownName]?: string | undefined },
): Promise<AuthorizedProps> {
  const { startAgain, exchangeUrl, command } = known;
  const { tokenEndpoint = browserEndpointUrl(ctx, "token_endpoint") } = known;
  const { clientId, codeVerifier } = callback.hasError ? {} : known;
  const { origin } = new URL(ctx.settings.frontChannelUrl);
  const tokenRequests = tokenRequestExamples({
    tokenEndpoint,
    code: callback.code,
    // The browser came here with the redirect URI of the request.
    redirectUri: `${origin}${new URL(ctx.request.url).pathname}`,
    codeVerifier,
    client: clientId === undefined ? undefined : await findClient(ctx, clientId),
    command,
  });
  const frame = await framePropsIn(await english.load(), ctx);
  const shown = { tokenEndpoint, tokenRequests, clientId, codeVerifier, startAgain, exchangeUrl };
  return { ...frame, ...callback, ...shown };
}

/** Returns the URL that starts the client of this flow again, or else the first client. */
async function startUrl(ctx: Context, ended: string | undefined): Promise<string | undefined> {
  const same = ended === undefined ? undefined : await findStartableClient(ctx, ended);
  const client = same ?? await findStartableClient(ctx);
  return client && `${ctx.settings.base}${startPath}?client_id=${encodeURIComponent(client.id)}`;
}

async function clientOfCode(ctx: Context, { code }: Callback): Promise<string | undefined> {
  const { codes, authorizations } = ctx.records;
  const found = code === "" ? undefined : await codes.find(code);
  const authorization = found && await authorizations.find(found.authorization);
  return authorization?.clientId;
}
