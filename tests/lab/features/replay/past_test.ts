import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { demoScopes } from "../../../../src/lab/demo/demo_scopes.ts";
import type { Lab } from "../../../../src/lab/lab.ts";
import type { LabConfig } from "../../../../src/lab/lab_server/lab_config.ts";
import { LabError } from "../../../../src/lab/util/lab_error.ts";
import { type Kit, openLabKit } from "../../../support/kit.ts";
import {
  authorizationUrlIn,
  flowCode,
  redeemIn,
  refreshIn,
  tokenIn,
  userinfoIn,
} from "../../../support/lab_flow.ts";
import { logoutUrl, signedIn } from "../../../support/logout.ts";
import { present } from "../../../support/present.ts";
import { registerAt } from "../../../support/registration.ts";
import { needs } from "../../../support/where_feature.ts";

const issuer = "http://localhost:9000";
const day = 24 * 60 * 60 * 1000;

/** Returns the number of the last request to an endpoint that the lab did not replay. */
function idOf(lab: Lab, endpoint: string): number {
  const isMeant = ({ request, replayOf }: ReturnType<Lab["exchanges"]>[number]) =>
    request.endpoint === endpoint && replayOf === undefined;
  return present(lab.exchanges().findLast(isMeant)).id;
}

/** Starts a flow of the lab in a browser, and redeems its code. */
async function play(kit: Kit & { lab: Lab }, query: string): Promise<Lab> {
  const browser = kit.browser();
  const callback = await browser.authorize(`${issuer}/start?${query}`);
  const { status, headers, html } = await pageAt(browser, callback);
  await browser.submit({ url: callback, status, headers, html }, "send-exchange");
  return kit.lab;
}

async function pageAt(browser: ReturnType<Kit["browser"]>, url: string) {
  const response = await browser.request(url);
  const { status, headers } = response;
  return { status, headers, html: await response.text() };
}

/** A request, and what makes the lab refuse it if it comes once more. */
interface OneTimeRequest {
  config?: Partial<LabConfig>;
  send(kit: Kit & { lab: Lab }): Promise<unknown>;
  endpoint: string;
  /** The rule that refuses it now; none if it is not refused. */
  rule?: string;
}

const alice = { name: "alice", password: "alice" };

const ownClient = {
  id: "web",
  secret: "web-secret-of-at-least-32-characters",
  redirectUris: ["https://app.example/callback"],
};

const requests: Record<string, OneTimeRequest> = {
  "a code": {
    send: async ({ lab }) => await redeemIn(lab, await flowCode(lab)),
    endpoint: "token",
    rule: "code.unused",
  },
  "a refresh token": {
    async send({ lab }) {
      const { refresh_token } = await redeemIn(lab, await flowCode(lab));
      await refreshIn(lab, refresh_token);
    },
    endpoint: "token",
    rule: "refresh_token.unused",
  },
  "a client assertion, a DPoP proof and a code": {
    config: { profile: "fapi-2.0" },
    send: (kit) => play(kit, "client_id=demo-web"),
    endpoint: "token",
    rule: "client.authenticated",
  },
  "the request_uri of a pushed request": {
    config: { profile: "fapi-2.0" },
    send: (kit) => play(kit, "client_id=demo-web"),
    endpoint: "authorize",
    rule: "request_uri.usable",
  },
  "a redirect URI that the lab vouched for": {
    config: { clients: [ownClient] },
    send: (kit) => play(kit, "client_id=web"),
    endpoint: "authorize",
    rule: "redirect_uri.registered",
  },
  "a device code": {
    async send({ lab }) {
      const body = new URLSearchParams({ client_id: "demo-cli", scope: "openid" });
      const url = `${issuer}/oauth2/device_authorization`;
      const begun = await lab.fetch(new Request(url, { method: "POST", body }));
      const { device_code, verification_uri_complete } = await begun.json();
      lab.signIn("alice");
      await lab.fetch(new Request(verification_uri_complete));
      lab.signIn(false);
      const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
      await tokenIn(lab, { grant_type, client_id: "demo-cli", device_code });
    },
    endpoint: "token",
    rule: "device_code.unused",
  },
};

describe("A replay of a request that works once", () => {
  for (const [what, { config, send, endpoint, rule }] of Object.entries(requests)) {
    it(`is accepted as it was, as often as one likes, and refused now: ${what}`, async () => {
      const kit = openLabKit({ issuer, ...config });
      await send(kit);
      const id = idOf(kit.lab, endpoint);
      kit.clock.now += 2 * day;
      for (let time = 0; time < 2; time++) {
        const { replay, differences, rules, original } = await kit.lab.replay(id);
        assertEquals(original.refusal, undefined);
        assertEquals([replay.refusal, differences, rules], [undefined, [], []]);
        assertEquals(replay.response?.status, original.response?.status);
      }
      kit.clock.now -= 2 * day;
      assertEquals((await kit.lab.replay(id, { now: true })).replay.refusal?.rule, rule);
    });
  }
});

describe("The lab keeps nothing of a replay", () => {
  it("so that a code that the original did not use up can still be redeemed", async () => {
    const { lab } = openLabKit({ issuer });
    const code = await flowCode(lab);
    const redirect_uri = "http://localhost:3000/other";
    await redeemIn(lab, code, { redirect_uri });
    const right = { parameters: { redirect_uri: `${issuer}/authorized` } };
    const { replay } = await lab.replay(idOf(lab, "token"), right);
    assertEquals(replay.response?.status, 200);
    assert((await redeemIn(lab, code)).access_token);
  });

  it("so that a second use of a code revokes what the lab issued only if it comes now", async () => {
    const { lab } = openLabKit({ issuer });
    const { access_token } = await redeemIn(lab, await flowCode(lab));
    await lab.replay(idOf(lab, "token"));
    assertEquals((await userinfoIn(lab, access_token)).status, 200);
    await lab.replay(idOf(lab, "token"), { now: true });
    assertEquals((await userinfoIn(lab, access_token)).status, 401);
  });

  it("so that what it issued is not valid, signed tokens included", async () => {
    const { lab } = openLabKit({ issuer });
    const { access_token, refresh_token } = await redeemIn(lab, await flowCode(lab));
    const { replay, summary } = await lab.replay(idOf(lab, "token"), { secrets: true });
    assertStringIncludes(summary, "What it issued is not valid in the lab.");
    const issued = JSON.parse(present(replay.response).body);
    assertEquals((await userinfoIn(lab, issued.access_token)).status, 401);
    assertEquals((await refreshIn(lab, issued.refresh_token)).error, "invalid_grant");
    assertEquals((await userinfoIn(lab, access_token)).status, 200);
    await refreshIn(lab, refresh_token);
    const refreshed = await lab.replay(idOf(lab, "token"), { secrets: true });
    const signed = JSON.parse(present(refreshed.replay.response).body).access_token;
    assertEquals((await userinfoIn(lab, signed)).status, 401);
  });

  it(
    "so that what it issued is not valid where any grant is accepted",
    needs("any_grant"),
    async () => {
      const anyGrant = { user: "bob", scopes: ["openid"] };
      const { lab } = openLabKit({ issuer, signIn: "alice", anyGrant });
      await lab.fetch(new Request(authorizationUrlIn(lab)));
      const { replay } = await lab.replay(idOf(lab, "authorize"), { secrets: true });
      const callback = new URL(present(replay.response?.headers.location));
      const code = present(callback.searchParams.get("code"));
      assertEquals((await redeemIn(lab, code)).error, "invalid_grant");
    },
  );

  it("so that no application is told that a session ended", async () => {
    const sent: string[] = [];
    const redirect_uri = "https://app.example/callback";
    const client = {
      id: "web",
      redirectUris: [redirect_uri],
      backchannelLogoutUri: "https://app.example/logout",
    };
    const kit = openLabKit({
      issuer,
      clients: [client],
      fetch: (url) => (sent.push(url), Promise.resolve(new Response(null))),
    });
    const { lab } = kit;
    const { browser, idToken } = await signedIn(kit, { client_id: "web", redirect_uri });
    await browser.open(logoutUrl(kit, { id_token_hint: idToken }));
    await lab.context.background.idle();
    assertEquals(sent.length, 1);
    const { replay } = await lab.replay(idOf(lab, "logout"));
    assertEquals(replay.response?.status, 200);
    assertEquals(sent.length, 1);
  });

  it(
    "so that a flow that goes on has the response that its client asked for",
    needs("response_types"),
    async () => {
      const kit = openLabKit({ issuer, responseTypes: ["code", "code id_token"] });
      const browser = kit.browser();
      const page = await browser.signIn(await browser.open(authorizationUrlIn(kit.lab)));
      const parameters = { response_type: "code id_token", response_mode: "form_post" };
      const { replay } = await kit.lab.replay(idOf(kit.lab, "authorize"), { parameters });
      assertEquals(replay.refusal, undefined);
      const { url } = await browser.decide(page);
      assert(!url.includes("id_token"), url);
    },
  );

  it("so that faults and chosen values wait for a client", needs("faults"), async () => {
    const { lab } = openLabKit({ issuer });
    await redeemIn(lab, await flowCode(lab));
    lab.fault("token.server_error", { times: 1 });
    const { replay } = await lab.replay(idOf(lab, "token"));
    assertEquals(replay.response?.status, 200);
    assertEquals(lab.faults.list().map(({ fired }) => fired), [0]);
  });
});

describe("A replay goes to the lab as it was", () => {
  it("with the users and clients of that time", async () => {
    const { lab } = openLabKit({ issuer });
    await redeemIn(lab, await flowCode(lab));
    const id = idOf(lab, "token");
    lab.clients.remove("demo-spa");
    lab.users.remove("alice");
    const { replay, summary } = await lab.replay(id);
    assertEquals(replay.response?.status, 200, summary);
    const now = await lab.replay(id, { now: true });
    assertEquals(now.replay.refusal?.rule, "client.authenticated");
  });

  it("with the settings of that time", async () => {
    const { lab } = openLabKit({ issuer });
    const service = { client_id: "demo-service", client_secret: "demo-service-secret" };
    await tokenIn(lab, { grant_type: "client_credentials", ...service });
    const id = idOf(lab, "token");
    lab.configure({ grantTypes: ["authorization_code"] });
    assertEquals((await lab.replay(id)).replay.response?.status, 200);
    assertEquals((await lab.replay(id, { now: true })).replay.response?.status, 401);
  });

  it("with what the settings of that time make of a login_hint", async () => {
    const { lab } = openLabKit({ issuer, signInByHint: true });
    await lab.fetch(new Request(authorizationUrlIn(lab, { login_hint: "alice" })));
    const id = idOf(lab, "authorize");
    lab.configure({ signInByHint: false });
    const { replay } = await lab.replay(id, { secrets: true });
    assertStringIncludes(present(replay.response?.headers.location), "?code=");
    const now = await lab.replay(id, { now: true });
    assertStringIncludes(present(now.replay.response?.headers.location), "/oauth2/interaction");
  });

  it("with what unknown clients needed at that time", needs("any_client"), async () => {
    const unknown = { anyClient: true, unknownClientPkce: "optional" as const };
    const { lab } = openLabKit({ issuer, signIn: "alice", ...unknown });
    const query = { client_id: "unknown", redirect_uri: "https://app.example/cb" };
    const parameters = new URLSearchParams({ ...query, response_type: "code" });
    await lab.fetch(new Request(`${issuer}/oauth2/authorize?${parameters}`));
    const id = idOf(lab, "authorize");
    lab.configure({ unknownClientPkce: "required" });
    assertEquals((await lab.replay(id)).replay.refusal, undefined);
    const now = await lab.replay(id, { now: true });
    assertEquals(now.replay.refusal?.rule, "challenge.present");
  });

  it(
    "with the scopes of that time, beside which any other may be added",
    needs("any_scope"),
    async () => {
      const { lab } = openLabKit({ issuer, anyScope: true, scopes: ["openid", "read"] });
      const { refresh_token } = await redeemIn(lab, await flowCode(lab, { scope: "openid" }));
      await tokenIn(lab, { grant_type: "refresh_token", refresh_token, scope: "orders" });
      const id = idOf(lab, "token");
      lab.configure({ scopes: ["openid", "read", "orders"] });
      assertEquals((await lab.replay(id)).replay.refusal, undefined);
      const now = await lab.replay(id, { now: true });
      assertEquals(now.replay.response?.status, 400);
    },
  );

  it(
    "with the scopes that a client had to have at that time to get any other",
    needs("any_scope"),
    async () => {
      const { lab } = openLabKit({ issuer, anyScope: true, signIn: "alice", scopes: ["openid"] });
      const redirect_uri = "https://app.example/cb";
      const metadata = { redirect_uris: [redirect_uri], scope: "openid" };
      const { client_id } = (await registerAt(lab, metadata)).body;
      const request = { client_id, redirect_uri, scope: "openid orders" };
      await lab.fetch(new Request(authorizationUrlIn(lab, request)));
      const id = idOf(lab, "authorize");
      lab.configure({ scopes: ["openid", "read"] });
      const { replay } = await lab.replay(id, { parameters: { scope: "openid another" } });
      assertEquals(replay.refusal, undefined);
    },
  );

  it("with the user who signed in hands-free at that time", async () => {
    const { lab } = openLabKit({ issuer, signIn: "alice" });
    await lab.fetch(new Request(authorizationUrlIn(lab)));
    const id = idOf(lab, "authorize");
    lab.signIn(false);
    const { replay } = await lab.replay(id, { secrets: true });
    assertStringIncludes(present(replay.response?.headers.location), "?code=");
    const now = await lab.replay(id, { now: true });
    assertStringIncludes(present(now.replay.response?.headers.location), "/oauth2/interaction");
  });

  it("also when it is replayed itself", async () => {
    const { lab } = openLabKit({ issuer });
    await redeemIn(lab, await flowCode(lab));
    const wrong = { parameters: { code_verifier: "w".repeat(43) } };
    const { replay } = await lab.replay(idOf(lab, "token"), wrong);
    const again = await lab.replay(replay.id);
    assertEquals(again.replay.refusal?.rule, "verifier.matches");
    const { id } = (await lab.replay(idOf(lab, "token"))).replay;
    assertEquals((await lab.replay(id)).replay.response?.status, 200);
  });

  it("and says so if that is forgotten", async () => {
    const { lab } = openLabKit({ issuer });
    await lab.fetch(new Request(`${issuer}/oauth2/jwks`));
    const { id } = present(lab.exchanges().at(-1));
    const large = { clientId: "x".repeat(1_000_000), redirectUri: "", usesDpop: false };
    for (let time = 0; time < 20; time++) await lab.startedFlows.put("state", large, Infinity);
    await assertRejects(() => lab.replay(id), LabError, "no longer knows what it was like");
  });

  const name = "x".repeat(1_000_000);
  const changes: Record<string, (lab: Lab, time: number) => void> = {
    "a user": ({ users }, time) => void users.put({ ...alice, claims: { name: name + time } }),
    "a client": ({ clients }, time) => void clients.put({ ...ownClient, name: name + time }),
    "the notice": (lab, time) => lab.configure({ notice: name + time }),
    "the users": (lab, time) => lab.configure({ users: [{ ...alice, claims: { name, time } }] }),
    "the scopes": (lab, time) =>
      void lab.configure({ scopes: { ...demoScopes, [`s${time}`]: name } }),
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`unless it would have to remember more than fits: ${what}`, async () => {
      const { lab } = openLabKit({ issuer });
      await lab.fetch(new Request(`${issuer}/oauth2/jwks`));
      const { id } = present(lab.exchanges().at(-1));
      for (let time = 0; time < 20; time++) change(lab, time);
      await assertRejects(() => lab.replay(id), LabError, "no longer knows what it was like");
    });
  }

  it(
    "unless it would have to remember more than fits: scopes that clients invent",
    needs("any_scope"),
    async () => {
      const { lab } = openLabKit({ issuer, anyScope: true });
      await lab.fetch(new Request(`${issuer}/oauth2/jwks`));
      const { id } = present(lab.exchanges().at(-1));
      const long = "x".repeat(240);
      for (let time = 0; time < 50; time++) {
        const scopes = Array.from({ length: 400 }, (_, each) => `${long}-${time}-${each}`);
        await lab.fetch(new Request(authorizationUrlIn(lab, { scope: scopes.join(" ") })));
      }
      await assertRejects(() => lab.replay(id), LabError, "no longer knows what it was like");
    },
  );
});
