import { framePropsIn, pageResponse } from "../../endpoints/responses/page_response.ts";
import { readQuery } from "../../http/incoming_request.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { findClient, noteClient } from "../../issuer/clients/clients.ts";
import { browserEndpointUrl, type Context, type RequestContext } from "../../issuer/context.ts";
import { randomSecret } from "../../issuer/random.ts";
import type { Client } from "../../model/client.ts";
import { english } from "../../pages/languages/languages.ts";
import { issuerUrl } from "../../protocol/issuer_url.ts";
import { redirectUriMatches } from "../../protocol/redirect_uri.ts";
import { requirePresent, ruleSet } from "../../protocol/rule.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import type { AuthorizedProps } from "./authorized.tsx";
import { type Callback, readCallback, rejectOtherIssuer } from "./callback.ts";
import { authorizedPages, callbackClients, callbackPath, startPath } from "./config.ts";
import { type KnownTokenRequest, tokenRequestExamples } from "./token_request.ts";

/** How many clients are tried in search of one that can start. It limits the cost of a visit. */
const maxTried = 20;

const cookie = "flow";

/** State, verifier and client: two random texts, and a percent-encoded id. */
const written = /^([\w-]{43})\.([\w-]{43})\.([\w.!~*'()%-]+)$/;

const about = {
  see: "OAuth 2.1, section 4.1.1",
  parameter: "client_id",
  error: "invalid_request",
} as const;

export const startRules = ruleSet("start", about, {
  client: {
    title: "The client must be one whose authorization this page can start and finish",
    fix: "Choose a configured client whose redirect URIs include the URL of this page.",
  },
});

/** Serves as a redirect URI for trying things by hand: shows the response and the next step. */
export async function authorized(ctx: RequestContext): Promise<ResponseData> {
  const received = readCallback(readQuery(ctx));
  const flow = findOwnFlow(ctx, received.state);
  // If the page did not start the flow, it cannot know which issuer the client expects.
  const callback = flow ? rejectOtherIssuer(received, ctx.settings.issuer) : received;
  const startAgain = await startUrl(ctx, flow?.clientId ?? await clientOfCode(ctx, callback));
  const props = await authorizedProps(ctx, callback, { ...flow, startAgain });
  // Its verifier is shown once.
  const headers = flow ? [ctx.cookies.clear(cookie)] : [];
  return await pageResponse(authorizedPages.of(ctx.settings.pages).authorized(props), 200, headers);
}

/**
 * Starts an authorization in the role of a configured client, to try it by hand. Foreign links may
 * lead here: they can do no more than a link to the authorization endpoint.
 */
export async function startAuthorization(ctx: RequestContext): Promise<ResponseData> {
  const found = await findStartableClient(ctx, readQuery(ctx).get("client_id"));
  const client = requirePresent(ctx.apply, startRules.client, found);
  noteClient(ctx, client);
  const [state, nonce, codeVerifier] = [randomSecret(ctx), randomSecret(ctx), randomSecret(ctx)];
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: client.id,
    redirect_uri: callbackUrl(ctx),
    scope: sampleScope(client).join(" "),
    state,
    nonce,
    code_challenge: await sha256(codeVerifier),
    code_challenge_method: "S256",
  });
  const url = `${browserEndpointUrl(ctx, "authorization_endpoint")}?${parameters}`;
  // For as long as a sign-in may take. The server stores nothing: a visitor who starts many flows has
  // only the last one.
  const kept = [state, codeVerifier, encodeURIComponent(client.id)].join(".");
  const header = ctx.cookies.write(cookie, kept, ctx.settings.lifetimes.interaction);
  return redirectResponse(url, [header]);
}

/** Returns what the page shows about a callback, without secrets, and about its flow. */
export async function authorizedProps(
  ctx: RequestContext,
  callback: Callback,
  known: Partial<AuthorizedProps> & Pick<KnownTokenRequest, "command">,
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

/**
 * Finds a configured client whose authorization the page can start and finish: the one with this
 * id, or the first.
 */
async function findStartableClient(ctx: Context, id?: string): Promise<Client | undefined> {
  const ids = callbackClients(ctx.settings).filter((each) => id === undefined || each === id);
  for (const each of ids.slice(0, maxTried)) {
    const client = await findClient(ctx, each);
    if (client && isStartable(ctx, client)) return client;
  }
  return undefined;
}

/** Finds the client and the verifier of a callback in the browser that started it. */
function findOwnFlow(
  ctx: RequestContext,
  state: string | undefined,
): { clientId: string; codeVerifier: string } | undefined {
  const value = ctx.cookies.read(ctx.request.headers, cookie) ?? "";
  const [, kept, codeVerifier, id] = written.exec(value) ?? [];
  if (kept === undefined || codeVerifier === undefined || kept !== state) return undefined;
  const clientId = callbackClients(ctx.settings).find((each) => encodeURIComponent(each) === id);
  return clientId === undefined ? undefined : { clientId, codeVerifier };
}

/** Whether the page can start a client: it cannot push or sign requests, and reads only queries. */
function isStartable(ctx: Context, client: Client): boolean {
  return client.grantTypes.includes("authorization_code") &&
    client.responseModes.includes("query") &&
    !client.requirePar && !client.requireSignedRequest &&
    client.redirectUris.some((uri) => redirectUriMatches(uri, callbackUrl(ctx), client.native));
}

function callbackUrl({ settings }: Context): string {
  return issuerUrl(settings.frontChannelUrl, callbackPath);
}

/** Returns a scope for an ID token with the user's name, plus the client's default scope. */
function sampleScope({ scopes, defaultScope }: Client): readonly string[] {
  const sample = ["openid", "profile", ...defaultScope].filter((token) => scopes.includes(token));
  return sample.length > 0 ? [...new Set(sample)] : scopes;
}
