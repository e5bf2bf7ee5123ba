import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JSONWebKeySet,
  jwtVerify,
} from "jose";
import { describe } from "node:test";
import type { LabEvent } from "../../../../src/lab/recording/lab_event.ts";
import {
  type FaultName,
  hallpass,
  type HeadlessBrowser,
  type TestLab,
} from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { testClient } from "../../../support/test_client.ts";
import { needs } from "../../../support/where_feature.ts";
import type { Tokens } from "../../../support/wire.ts";
import { endLabSession } from "./end_lab_session.ts";

const it = itWith({
  inLab: () => hallpass({ clients: [app] }),
  withBackChannelLogout: needs("back-channel logout"),
});

const redirectUri = "https://app.example/cb";
const app = { id: "app", redirectUris: [redirectUri] };

/** Signs Alice in, in a browser that may be signed in already. */
async function signIn(
  lab: TestLab,
  client_id = "app",
  browser: HeadlessBrowser = lab.browser(),
): Promise<Tokens> {
  const client = testClient({ client_id, redirect_uri: redirectUri, scope: "openid profile" });
  const isSignedIn = browser.cookies.size > 0;
  const url = client.authorizationUrl(lab);
  const { code = "" } = await browser.authorize(url, isSignedIn ? {} : { user: "alice" });
  return (await client.redeem(lab, code)).body;
}

async function json<T>(lab: TestLab, path: string, init: RequestInit = {}): Promise<T> {
  return await (await lab.fetch(`${lab.issuer}${path}`, init as object)).json();
}

async function userinfo(lab: TestLab): Promise<Record<string, unknown>> {
  const { access_token } = await signIn(lab);
  const headers = { Authorization: `Bearer ${access_token}` };
  return await json(lab, "/oauth2/userinfo", { headers });
}

describe("A key set without kid", () => {
  for (const idTokenAlg of ["RS256", "ES256", "EdDSA"] as const) {
    it(`has the one key of the ID token with jwks.single_without_kid: ${idTokenAlg}`, async () => {
      await using lab = await hallpass({ clients: [{ ...app, idTokenAlg }] });
      lab.fault("jwks.single_without_kid");
      const { id_token } = await signIn(lab);
      const set = await json<JSONWebKeySet>(lab, "/oauth2/jwks");
      assertEquals([decodeProtectedHeader(id_token).kid, set.keys.length], [undefined, 1]);
      assertEquals(set.keys.map(({ kid }) => kid), [undefined]);
      await jwtVerify(id_token, createLocalJWKSet(set), { audience: "app" });
    });

    it(`has several with jwks.several_without_kid, of which one fits: ${idTokenAlg}`, async () => {
      await using lab = await hallpass({ clients: [{ ...app, idTokenAlg }] });
      lab.fault("jwks.several_without_kid");
      const { id_token } = await signIn(lab);
      const { keys } = await json<JSONWebKeySet>(lab, "/oauth2/jwks");
      assertEquals(keys.map(({ kid, alg }) => [kid, alg]), Array(2).fill([undefined, idTokenAlg]));
      assertEquals(
        new Set(await Promise.all(keys.map((key) => calculateJwkThumbprint(key)))).size,
        2,
      );
      const [wrong, right] = await Promise.all(keys.map((key) => importJWK(key)));
      assert(wrong && right);
      await jwtVerify(id_token, right);
      await assertRejects(() => jwtVerify(id_token, wrong));
    });
  }

  it.inLab("has the key of the default algorithm if no ID token came before", async (lab) => {
    lab.fault("jwks.single_without_kid");
    const { keys } = await json<JSONWebKeySet>(lab, "/oauth2/jwks");
    assertEquals(keys.map(({ alg }) => alg), ["RS256"]);
  });
});

describe("An unusual response", () => {
  it.inLab("has its token_type in the other case", async (lab) => {
    lab.fault("token.token_type_in_other_case");
    assertEquals((await signIn(lab)).token_type, "bEARER");
  });

  it.inLab("names endpoints for mutual TLS that a client without it cannot use (RFC 8705)", async (lab) => {
    const path = "/.well-known/openid-configuration";
    const before = await json<Record<string, unknown>>(lab, path);
    lab.fault("metadata.mtls_endpoint_aliases");
    const { mtls_endpoint_aliases, ...after } = await json<Record<string, unknown>>(lab, path);
    assertEquals(after, before);
    assertEquals(mtls_endpoint_aliases, {
      token_endpoint: "https://mtls.hallpass.example/oauth2/token",
      userinfo_endpoint: "https://mtls.hallpass.example/oauth2/userinfo",
      pushed_authorization_request_endpoint: "https://mtls.hallpass.example/oauth2/par",
    });
  });

  it.inLab("has an aggregated claim beside the honest ones (OpenID Connect Core, 5.6.2)", async (lab) => {
    const before = await userinfo(lab);
    lab.fault("userinfo.aggregated_claims");
    const { _claim_names, _claim_sources, ...after } = await userinfo(lab);
    assertEquals([after, _claim_names], [before, { shoe_size: "src1" }]);
    const { src1: { JWT: jwt } } = _claim_sources as { src1: { JWT: string } };
    const { sub, ...claims } = decodeJwt(jwt);
    assertEquals(claims, { iss: "https://claims.example", shoe_size: 42 });
    assertEquals(sub, before.sub);
  });

  it.inLab("has an aggregated claim in the ID token", async (lab) => {
    lab.fault("id_token.aggregated_claims");
    const { id_token } = await signIn(lab);
    const set = await json<JSONWebKeySet>(lab, "/oauth2/jwks");
    const { payload } = await jwtVerify(id_token, createLocalJWKSet(set));
    assertEquals(payload._claim_names, { shoe_size: "src1" });
  });

  it.inLab("names a claim that has to be fetched", async (lab) => {
    lab.fault("userinfo.distributed_claims");
    const { _claim_names, _claim_sources } = await userinfo(lab);
    assertEquals(_claim_names, { credit_score: "src1" });
    const source = {
      endpoint: "https://claims.example/claims",
      access_token: "a-token-of-the-source",
    };
    assertEquals(_claim_sources, { src1: source });
  });
});

describe("The redirect after a sign-out", () => {
  const client = { ...app, postLogoutRedirectUris: ["https://app.example/bye?lang=en"] };
  const rows: Array<[fault: FaultName, state: string | undefined, search: string]> = [
    ["logout.wrong_state", "s", "?lang=en&state=another-state"],
    ["logout.without_state", "s", "?lang=en"],
    ["logout.wrong_state", undefined, "?lang=en"],
  ];
  for (const [fault, state, search] of rows) {
    it(`is ${search} for the state ${state} with ${fault}`, needs("logout"), async () => {
      await using lab = await hallpass({ clients: [client] });
      lab.fault(fault, { mayStayIdle: true });
      const { id_token } = await signIn(lab);
      const query = new URLSearchParams({
        id_token_hint: id_token,
        post_logout_redirect_uri: client.postLogoutRedirectUris[0] ?? "",
        ...state !== undefined && { state },
      });
      const { headers } = await lab.fetch(`${lab.issuer}/oauth2/logout?${query}`, {
        redirect: "manual",
      });
      assertEquals(headers.get("Location"), `https://app.example/bye${search}`);
    });
  }
});

describe("A fault in a logout token", () => {
  /** Ends Alice's session at a lab with two clients, and returns what each one got. */
  async function signOut(
    fault: FaultName,
    scope: object,
    respond: () => Response = () => new Response(null, { status: 400 }),
  ): Promise<[sent: Record<string, unknown>, events: LabEvent[]]> {
    const sent: Record<string, unknown> = {};
    const events: LabEvent[] = [];
    await using lab = await hallpass({
      clients: ["one", "other"].map((id) => ({
        ...app,
        id,
        backchannelLogoutUri: `https://${id}.example/logout`,
      })),
      onLabEvent: (event) => void events.push(event),
      async fetch(url, { body }) {
        const { nonce } = decodeJwt(new URLSearchParams(body).get("logout_token") ?? "");
        sent[new URL(url).hostname] = nonce;
        return respond();
      },
    });
    lab.fault(fault, scope);
    const browser = lab.browser();
    for (const client of ["one", "other"]) await signIn(lab, client, browser);
    await endLabSession(lab, browser.cookies);
    // It waits for what the server does in the background.
    await lab.close();
    return [sent, events.filter(({ type }) => type === "fault.fired")];
  }

  it.withBackChannelLogout("is for the client that it names, and reports how the application responds", async () => {
    const [sent, events] = await signOut("logout_token.with_nonce", { client: "other" });
    assertEquals(sent, { "one.example": undefined, "other.example": "a-nonce" });
    const fired = { fault: "logout_token.with_nonce", method: "POST", path: "/logout" };
    assertEquals(events, [{ type: "fault.fired", ...fired, client: "other", status: 400 }]);
  });

  it.withBackChannelLogout("is for every client without a scope, and fires as often as it may", async () => {
    const [sent] = await signOut("logout_token.with_nonce", {});
    assertEquals(sent, { "one.example": "a-nonce", "other.example": "a-nonce" });
    const [, events] = await signOut("logout_token.with_nonce", { times: 1 });
    assertEquals(events.length, 1);
  });

  it.withBackChannelLogout("has no status if the application cannot be reached", async () => {
    const [, events] = await signOut("logout_token.with_nonce", { client: "one" }, () => {
      throw new TypeError("unreachable");
    });
    const fired = { fault: "logout_token.with_nonce", method: "POST", path: "/logout" };
    assertEquals(events, [{ type: "fault.fired", ...fired, client: "one", status: undefined }]);
  });
});
