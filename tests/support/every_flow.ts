import type { Config } from "../../src/server/features.ts";
import {
  clientEndpoints,
  featureFixtures,
  featureSettings,
  fixturesOf,
  flowGrantTypes,
} from "../features.ts";
import {
  assertion,
  assertionClaims,
  assertionType,
  makeClientKey,
  signWithSecret,
} from "./client_key.ts";
import { makeProof, proofKey } from "./dpop.ts";
import { basic, type Fields, type FlowKit, type ReadResponse } from "./flow_kit.ts";
import { seesTokens } from "./kit.ts";
import { sendJson } from "./registration.ts";

const exchange = "urn:ietf:params:oauth:grant-type:token-exchange";
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";

/** The password of alice. */
export const userPassword = "correct horse battery staple";
const webSecret = "a-secret-of-the-web-client-with-44-characters";
const jwtSecret = "a-secret-for-assertions-with-many-characters";
const api = "https://api.example";

const key = await makeClientKey();

/** The redirect URI of the clients. */
export const redirectUri = "https://hallpass.test/authorized";

/** A server that offers every flow, to users and clients with real secrets. */
export const everyFlowConfig: Partial<Config> = {
  users: [{ name: "alice", password: userPassword }],
  ...featureSettings,
  resources: [api],
  scopes: { openid: "Know who you are", profile: "See your profile", read: "Read" },
  grantTypes: [...flowGrantTypes],
  clients: [
    {
      id: "demo-spa",
      redirectUris: [redirectUri],
      responseModes: ["query", "form_post", "fragment"],
    },
    ...featureFixtures.flatMap((each) => each.clients ?? []),
    {
      id: "web",
      secret: webSecret,
      redirectUris: [redirectUri],
      grantTypes: ["authorization_code", "refresh_token", "client_credentials"],
      accessTokenFormat: "opaque",
      ...seesTokens,
      resources: [api],
    },
    {
      id: "jwt",
      secret: jwtSecret,
      authentication: ["client_secret_jwt"],
      grantTypes: ["client_credentials"],
    },
    { id: "key", jwks: { keys: [key.publicJwk] }, grantTypes: ["client_credentials"] },
  ],
};

/** How the client `web` authenticates. */
export const web: Record<string, string> = basic("web", webSecret);

/** A flow, and the name that a failed test prints. */
type Flow = (kit: FlowKit) => Promise<number>;

const flowsOfFeatures = Object.entries(fixturesOf("flows")).map(([name, flow]): [string, Flow] => [
  name,
  (kit) => flow(kit, userPassword),
]);

/** Returns the status of the last response of each flow. */
export const everyFlow: Record<string, Flow> = {
  async "code, refresh and userinfo"(kit) {
    const tokens = await kit.tokens({ scope: "openid" }, { password: userPassword });
    const fields = { client_id: "demo-spa", refresh_token: tokens.refresh_token };
    const { body } = await kit.token({ grant_type: "refresh_token", ...fields });
    return (await kit.userinfo(body.access_token)).status;
  },
  async "a DPoP key, and opaque tokens"(kit) {
    const url = kit.authorizationUrl({ client_id: "web" });
    const { searchParams } = new URL(
      await kit.browser().authorize(url, { password: userPassword }),
    );
    const now = kit.clock.now;
    const proof = await makeProof(await proofKey(), "POST", `${kit.issuer}/oauth2/token`, { now });
    const headers = { ...web, DPoP: proof };
    const code = searchParams.get("code") ?? "";
    return (await kit.redeem(code, { client_id: undefined }, headers)).status;
  },
  "an assertion by a secret": async (kit) => (await tokenByAssertion(kit)).status,
  async "an assertion by a key"(kit) {
    const fields = await assertion(kit, "key", key);
    return (await kit.token({ grant_type: "client_credentials", ...fields })).status;
  },
  async "a form post"(kit) {
    const browser = kit.browser();
    await browser.authorize(kit.authorizationUrl(), { password: userPassword });
    return (await browser.open(kit.authorizationUrl({ response_mode: "form_post" }))).status;
  },
  ...Object.fromEntries(flowsOfFeatures),
};

/** Gets an access token without a user, as a client that authenticates with an assertion. */
export async function tokenByAssertion(kit: FlowKit): Promise<ReadResponse> {
  const client_assertion = await signWithSecret(jwtSecret, assertionClaims(kit, "jwt"));
  const fields = { client_assertion_type: assertionType, client_assertion };
  return await kit.token({ grant_type: "client_credentials", ...fields });
}

/** Sends every credential where it does not belong: in wrong parameters, headers and paths. */
export async function misuse(kit: FlowKit, credentials: Iterable<string>): Promise<void> {
  for (const value of [...credentials]) {
    for (const fields of wrongRequests(value)) await kit.post("/oauth2/token", fields, web);
    await kit.post("/oauth2/token", {}, { Authorization: `Basic ${btoa(`web:${value}`)}` });
    await kit.get("/oauth2/userinfo", { Authorization: `Bearer ${value}` });
    await kit.get(`/oauth2/userinfo?access_token=${encodeURIComponent(value)}`);
    await kit.get(`/oauth2/authorize?client_id=web&request_uri=${encodeURIComponent(value)}`);
    await kit.get(`/oauth2/logout?id_token_hint=${encodeURIComponent(value)}`);
  }
}

/** Every parameter that an authorization request or a pushed request knows. */
const authorizationParameters = [
  ...["response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge"],
  ...["code_challenge_method", "response_mode", "nonce", "display", "prompt", "max_age", "claims"],
  ...["ui_locales", "claims_locales", "id_token_hint", "login_hint", "acr_values", "request"],
  ...["request_uri", "registration", "resource", "authorization_details", "dpop_jkt", "unknown"],
];

/** Every parameter of the endpoints for clients. */
const tokenParameters = [
  ...["grant_type", "client_id", "client_secret", "client_assertion", "client_assertion_type"],
  ...["code", "redirect_uri", "code_verifier", "refresh_token", "device_code", "assertion"],
  "auth_req_id",
  ...["scope", "resource", "audience", "subject_token", "subject_token_type", "actor_token"],
  ...["actor_token_type", "requested_token_type", "authorization_details", "token"],
  ...["token_type_hint", "unknown"],
];

/** Sends a credential in each parameter of requests that are otherwise valid, and as its name. */
export async function sendInEveryParameter(kit: FlowKit, value: string): Promise<void> {
  for (const name of [...authorizationParameters, value]) {
    await kit.get(new URL(kit.authorizationUrl({ [name]: value })).href.slice(kit.issuer.length));
    await kit.post("/oauth2/par", { ...requestOf(kit), [name]: value }, web);
    await kit.get(`/oauth2/logout?${new URLSearchParams([[name, value], [name, value]])}`);
  }
  for (const name of [...tokenParameters, value]) {
    const fields = { grant_type: "client_credentials", [name]: value };
    for (const path of clientEndpoints.filter((each) => each !== "par")) {
      await kit.post(`/oauth2/${path}`, fields, web);
    }
    await kit.post("/oauth2/token", { ...fields, client_id: "demo-spa" });
  }
  await sendJson(kit, "POST", `${kit.issuer}/oauth2/register`, { redirect_uris: [value] });
  await sendJson(kit, "POST", `${kit.issuer}/oauth2/register`, { grant_types: [value] });
}

function wrongRequests(value: string): Fields[] {
  return [
    { grant_type: "authorization_code", code: value, redirect_uri: "x", code_verifier: value },
    { grant_type: "refresh_token", refresh_token: value },
    { grant_type: "client_credentials", client_secret: value },
    {
      grant_type: "client_credentials",
      client_assertion_type: assertionType,
      client_assertion: value,
    },
    { grant_type: exchange, subject_token: value, subject_token_type: accessTokenType },
  ];
}

function requestOf(kit: FlowKit): Fields {
  const query = new URL(kit.authorizationUrl({ client_id: "web" })).searchParams;
  return Object.fromEntries(query);
}
