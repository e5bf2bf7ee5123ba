import type { SetCookie } from "../../http/cookies.ts";
import { readQuery } from "../../http/incoming_request.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { findClient, noteClient } from "../../issuer/clients/clients.ts";
import { browserEndpointUrl, type Context, type RequestContext } from "../../issuer/context.ts";
import { randomSecret } from "../../issuer/random.ts";
import type { Client } from "../../model/client.ts";
import { issuerUrl } from "../../protocol/issuer_url.ts";
import { redirectUriMatches } from "../../protocol/redirect_uri.ts";
import { requirePresent, ruleSet } from "../../protocol/rule.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { callbackClients, callbackPath } from "./config.ts";

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

/** An authorization that the page at `/authorized` started, in the role of a client. */
export interface OwnFlow {
  clientId: string;
  state: string;
  codeVerifier: string;
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
  return redirectResponse(url, [keepOwnFlow(ctx, { clientId: client.id, state, codeVerifier })]);
}

/**
 * Finds a configured client whose authorization the page can start and finish: the one with this
 * id, or the first.
 */
export async function findStartableClient(ctx: Context, id?: string): Promise<Client | undefined> {
  const ids = callbackClients(ctx).filter((each) => id === undefined || each === id);
  for (const each of ids.slice(0, maxTried)) {
    const client = await findClient(ctx, each);
    if (client && isStartable(ctx, client)) return client;
  }
  return undefined;
}

/** Finds the flow of a callback in the browser that started it. */
export function findOwnFlow(ctx: RequestContext, state: string | undefined): OwnFlow | undefined {
  const value = ctx.cookies.read(ctx.request.headers, cookie) ?? "";
  const [, kept, codeVerifier, id] = written.exec(value) ?? [];
  if (kept === undefined || codeVerifier === undefined || kept !== state) return undefined;
  const clientId = callbackClients(ctx).find((each) => encodeURIComponent(each) === id);
  return clientId === undefined ? undefined : { clientId, state: kept, codeVerifier };
}

/** Returns the header that deletes the flow: its verifier is shown once. */
export function forgetOwnFlow(ctx: Context): SetCookie {
  return ctx.cookies.clear(cookie);
}

/** Whether the page can start a client: it cannot push or sign requests, and reads only queries. */
function isStartable(ctx: Context, client: Client): boolean {
  const { grantTypes, redirectUris, requirePar, requireSignedRequest, responseModes } = client;
  const needsMore = requirePar || requireSignedRequest;
  return grantTypes.includes("authorization_code") && responseModes.includes("query") &&
    !needsMore &&
    redirectUris.some((uri) => redirectUriMatches(uri, callbackUrl(ctx), client.native));
}

/**
 * Returns the header that keeps a flow in its browser for as long as a sign-in may take. The server
 * stores nothing: a visitor who starts many flows has only the last one.
 */
function keepOwnFlow(ctx: Context, { clientId, state, codeVerifier }: OwnFlow): SetCookie {
  const value = [state, codeVerifier, encodeURIComponent(clientId)].join(".");
  return ctx.cookies.write(cookie, value, ctx.settings.lifetimes.interaction);
}

function callbackUrl({ settings }: Context): string {
  return issuerUrl(settings.frontChannelUrl, callbackPath);
}

/** Returns a scope for an ID token with the user's name, plus the client's default scope. */
function sampleScope({ scopes, defaultScope }: Client): readonly string[] {
  const sample = ["openid", "profile", ...defaultScope].filter((token) => scopes.includes(token));
  return sample.length > 0 ? [...new Set(sample)] : scopes;
}
