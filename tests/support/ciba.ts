import { importJWK, type JWTPayload, SignJWT } from "jose";
import { demoKey, demoPublicKey } from "../../src/lab/demo/demo_keys.ts";
import type { ClientConfig } from "../../src/server/features.ts";
import type { OutboundFetch, OutboundRequest } from "../../src/server/http/outbound_fetch.ts";
import { answerPages, type Browser, type Page, type UserActions } from "./browser.ts";
import { assertionClaims, assertionType, seconds } from "./client_key.ts";
import { basic, type Fields, type FlowKit, type ReadResponse } from "./flow_kit.ts";

export const cibaGrant = "urn:openid:params:grant-type:ciba";

/** A client that asks users over the back channel, with a test's changes. */
export function agent(changes: object = {}): ClientConfig {
  return {
    id: "demo-agent",
    name: "Demo agent",
    secret: "demo-agent-secret",
    authentication: ["client_secret_basic"],
    jwks: { keys: [demoPublicKey] },
    grantTypes: [cibaGrant, "refresh_token"],
    ...changes,
  };
}

/** The same client under the profile fapi-2.0, with a key instead of the secret. */
export const fapiAgent: ClientConfig = {
  id: "demo-agent",
  jwks: { keys: [demoPublicKey] },
  grantTypes: [cibaGrant, "refresh_token"],
};

export const agentHeaders: Record<string, string> = basic("demo-agent", "demo-agent-secret");

/** Another client that asks users. */
export const otherAgent = agent({ id: "other-agent", secret: "other-agent-secret" });

export const otherHeaders = basic("other-agent", "other-agent-secret");

/** The settings of a client that waits for pings, and the token that it sends with its requests. */
export const withPings = {
  backchannelDeliveryMode: "ping",
  backchannelNotificationEndpoint: "https://agent.example/ping",
} as const;

export const pingToken = { client_notification_token: "8d67dc78-7faa-4d41-aabd-67707b374255" };

/** Sends the backchannel authentication request of demo-agent about alice. */
export async function beginCiba(
  kit: FlowKit,
  fields: Fields = {},
  headers: Record<string, string> = agentHeaders,
): Promise<ReadResponse> {
  const own = { client_id: undefined, scope: "openid profile read", login_hint: "alice" };
  return await kit.sendForm("/oauth2/backchannel_authentication", { ...own, ...fields }, headers);
}

/** Sends a token request of demo-agent. */
export function pollCiba(
  kit: FlowKit,
  authReqId: string,
  fields: Fields = {},
  headers: Record<string, string> = agentHeaders,
): Promise<ReadResponse> {
  const own = { grant_type: cibaGrant, auth_req_id: authReqId, client_id: undefined };
  return kit.token({ ...own, ...fields }, headers);
}

/** Sends a request, and returns what its client and its user do about it. */
export async function openRequest<Own extends FlowKit>(
  kit: Own,
  fields?: Fields,
  headers?: Record<string, string>,
) {
  const { body: begun } = await beginCiba(kit, fields, headers);
  const poll = (changes?: Fields, by = headers) => pollCiba(kit, begun.auth_req_id, changes, by);
  return {
    ...{ kit, begun, poll },
    /** Polls, and returns the error. */
    pollError: async (changes?: Fields, by = headers) => (await poll(changes, by)).body.error,
    review: (browser?: Browser) => reviewRequest(kit, {}, browser),
    answer: (actions?: CibaActions, browser?: Browser) => answerCiba(kit, actions, browser),
  };
}

/** A ping, as it comes to a client. */
interface ReceivedPing extends Pick<OutboundRequest, "headers" | "body" | "method" | "redirect"> {
  url: string;
}

/** Receives pings. The client responds with what a test adds, a status or none (0), and then 204. */
export function receivePings() {
  const pings: ReceivedPing[] = [];
  const responses: Array<Response | number> = [];
  const fetch: OutboundFetch = (url, { headers, body = "", method, redirect }) => {
    pings.push({ url, headers, body, method, redirect });
    const next = responses.shift() ?? 204;
    if (next === 0) throw new TypeError("connection refused");
    return Promise.resolve(next instanceof Response ? next : new Response(null, { status: next }));
  };
  return { pings, responses, fetch };
}

/** What a user does about a request: the one with a message, or the first one that waits. */
interface CibaActions extends UserActions {
  message?: string;
}

/** Opens a request that waits for a user, on the user's account page. */
export async function reviewRequest(
  kit: FlowKit,
  { user = "alice", password = user, message = "" }: CibaActions = {},
  browser: Browser = kit.browser(),
): Promise<Page> {
  const account = `${kit.issuer}/account`;
  let page = await browser.open(account);
  if (page.html.includes('id="sign-in"')) {
    await browser.signIn(page, user, password);
    page = await browser.open(account);
  }
  const waiting = page.html.split("<form ").find((each) =>
    each.startsWith('id="request-') && each.includes(message)
  );
  const [, form, request] = /id="(request-[^"]+)".*?name="request" value="([^"]+)"/s
    .exec(waiting ?? "") ?? [];
  if (!form || !request) throw new Error("No request waits for the user.");
  return await browser.submit(page, form, { request });
}

/** Decides about a request that waits for a user. */
export async function answerCiba(
  kit: FlowKit,
  actions: CibaActions = {},
  browser: Browser = kit.browser(),
): Promise<Page> {
  return await answerPages(browser, await reviewRequest(kit, actions, browser), actions);
}

/** Returns the claims of a signed request of demo-agent about alice, with a test's changes. */
export function cibaClaims(kit: FlowKit, changes: JWTPayload = {}): JWTPayload {
  const now = seconds(kit);
  return {
    iss: "demo-agent",
    aud: kit.issuer,
    iat: now,
    nbf: now,
    exp: now + 60,
    jti: crypto.randomUUID(),
    scope: "openid read",
    login_hint: "alice",
    binding_message: "W4SCT",
    ...changes,
  };
}

/** Signs a request with the key of demo-agent. */
export async function signCiba(kit: FlowKit, changes: JWTPayload = {}): Promise<string> {
  return await signAsAgent(cibaClaims(kit, changes));
}

/** Sends a signed request of demo-agent, and nothing besides it but what authenticates it. */
export async function beginSigned(
  kit: FlowKit,
  changes: JWTPayload = {},
  request: string | Promise<string> = signCiba(kit, changes),
  authentication: Fields = {},
  headers = agentHeaders,
): Promise<ReadResponse> {
  const alone = { scope: undefined, login_hint: undefined, ...authentication };
  return await beginCiba(kit, { request: await request, ...alone }, headers);
}

/** Returns the fields by which demo-agent authenticates under the profile fapi-2.0. */
export async function fapiFields(kit: FlowKit): Promise<Fields> {
  return {
    client_id: "demo-agent",
    client_assertion_type: assertionType,
    client_assertion: await signAsAgent(assertionClaims(kit, "demo-agent")),
  };
}

/** Sends the signed request of demo-agent under the profile fapi-2.0. */
export async function beginFapi(kit: FlowKit, changes?: JWTPayload): Promise<ReadResponse> {
  return await beginSigned(kit, changes, undefined, await fapiFields(kit), {});
}

async function signAsAgent(claims: JWTPayload): Promise<string> {
  const key = await importJWK(demoKey, "ES256");
  return await new SignJWT(claims).setProtectedHeader({ alg: "ES256" }).sign(key);
}
