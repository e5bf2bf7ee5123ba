import type { ClientConfig } from "../issuer/config.ts";
import type { Context } from "../issuer/context.ts";
import { after } from "../issuer/context.ts";
import { hour } from "../issuer/duration.ts";
import { randomSecret } from "../issuer/random.ts";
import type { Table } from "../issuer/records.ts";
import { sha256 } from "../protocol/digest.ts";
import { issuerUrl } from "../protocol/issuer_url.ts";
import { redirectUriMatches } from "../protocol/redirect_uri.ts";

/** A flow that the lab started itself, in the part of the client. */
export interface Flow {
  clientId: string;
  redirectUri: string;
  codeVerifier: string;
  /** The browser it was started for. */
  browser: string;
}

/** What a newcomer asks for first. */
export const sampleScope = "openid profile read";

/** Pages of the lab that play the client's redirect URI. */
const callbackPaths = ["/authorized", "/callback"];

/** The redirect URI of a client that the lab itself answers, if it has one. */
export function ownRedirectUri(issuer: string, client: ClientConfig): string | undefined {
  const own = callbackPaths.map((path) => issuerUrl(issuer, path));
  return own.find((uri) => client.redirectUris?.some((registered) => redirectUriMatches(registered, uri, client.native ?? false)));
}

/** Writes an authorization request as a client would, with everything that makes it safe. */
export async function authorizationLink(
  ctx: Context,
  flow: Pick<Flow, "clientId" | "redirectUri" | "codeVerifier">,
  state: string,
): Promise<string> {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: flow.clientId,
    redirect_uri: flow.redirectUri,
    scope: sampleScope,
    state,
    nonce: randomSecret(),
    code_challenge: await sha256(flow.codeVerifier),
    code_challenge_method: "S256",
  });
  return `${ctx.metadata.authorization_endpoint}?${query}`;
}

/** Starts a flow for a browser: the verifier stays here, and the state finds it again. */
export async function startFlow(ctx: Context, flows: Table<Flow>, start: Omit<Flow, "codeVerifier">): Promise<string> {
  const flow = { ...start, codeVerifier: randomSecret() };
  const state = randomSecret();
  await flows.put(state, flow, after(ctx, 1 * hour));
  return await authorizationLink(ctx, flow, state);
}

/** Finds the flow of a callback, for the browser that it was started for and no other. */
export async function findFlow(flows: Table<Flow>, state: string | undefined, browser: string): Promise<Flow | undefined> {
  const entry = state === undefined ? undefined : await flows.get(state);
  return entry?.value.browser === browser ? entry.value : undefined;
}
