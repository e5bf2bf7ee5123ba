import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { describe } from "node:test";
import { Events, OAuth2Server } from "../../../src/compat/oauth2_mock_server.ts";
import { LabError } from "../../../src/lab/testing/mod.ts";
import { challenge, verifier } from "../../support/flow_kit.ts";
import { itWith } from "../../support/it_with.ts";

const callback = "http://app.example/callback";

/** Starts a server for one test. */
async function withServer(run: (server: OAuth2Server) => Promise<void>): Promise<void> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("ES256", { kid: "one" });
  await server.start();
  try {
    await run(server);
  } finally {
    await server.stop();
  }
}

async function authorize({ lab }: OAuth2Server, parameters: Record<string, string> = {}) {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "web",
    redirect_uri: callback,
    scope: "openid",
    state: "a-state",
    ...parameters,
  });
  return await lab.fetch(`${lab.issuer}/authorize?${query}`, { redirect: "manual" });
}

async function redeem({ lab }: OAuth2Server, form: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams({ grant_type: "authorization_code", client_id: "web", ...form });
  return await lab.fetch(`${lab.issuer}/token`, { method: "POST", body });
}

/** Signs in with PKCE, and returns the token response. */
async function login(server: OAuth2Server): Promise<Response> {
  const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
  const callbackUrl = (await authorize(server, pkce)).headers.get("Location") ?? "";
  const code = new URL(callbackUrl).searchParams.get("code") ?? "";
  return await redeem(server, { code, redirect_uri: callback, code_verifier: verifier });
}

async function keysOf({ lab }: OAuth2Server) {
  return createLocalJWKSet(await (await lab.fetch(`${lab.issuer}/jwks`)).json());
}

const it = itWith({ atServer: { around: withServer } });

describe("The lab behind the interface of oauth2-mock-server", () => {
  it("opens with the server, and not before", () => {
    const server = new OAuth2Server();
    assertThrows(() => server.lab, LabError, "Server is not started.");
  });

  it("listens on this machine only, without TLS", async () => {
    assertThrows(() => new OAuth2Server("key.pem", "cert.pem"), LabError, "tls: true");
    await assertRejects(() => new OAuth2Server().start(0, "0.0.0.0"), LabError, "--expose");
  });

  it.atServer("opens once if it is started twice at the same time, and again after a start that failed", async (taken) => {
    const server = new OAuth2Server();
    await assertRejects(() => server.start(taken.address().port));
    const starts = await Promise.allSettled([server.start(), server.start()]);
    assertEquals(starts.map(({ status }) => status), ["fulfilled", "rejected"]);
    await server.stop();
    await server.start();
    await server.stop();
  });

  it.atServer("records logins as flows", async (server) => {
    const { access_token } = await (await login(server)).json();
    const headers = { Authorization: `Bearer ${access_token}` };
    const userinfo = await server.lab.fetch(`${server.lab.issuer}/userinfo`, { headers });
    assertEquals(await userinfo.json(), { sub: "johndoe" });
    const [flow] = server.lab.flows();
    assertEquals(flow?.steps.map(({ what }) => what), ["answered", "redeemed", "used"]);
  });

  it.atServer("has no report, as it replaces each response", async (server) => {
    await redeem(server, { code: "made-up", redirect_uri: callback });
    assertThrows(() => server.lab.report(), LabError, "counts as changed by the test");
    assertThrows(() => server.lab.assertClean(), LabError, "counts as changed by the test");
  });

  it.atServer("responds after a reset as before", async (server) => {
    const { lab } = server;
    const snapshot = await lab.snapshot();
    for (const reset of [lab.reset, () => lab.restore(snapshot)]) {
      await reset();
      const { id_token } = await (await login(server)).json();
      const { payload } = await jwtVerify(id_token, await keysOf(server));
      assertEquals([payload.sub, payload.aud], ["johndoe", "web"]);
    }
    assertThrows(() => lab.report(), LabError);
  });

  it.atServer("moves the clock of tokens", async (server) => {
    server.lab.clock.freeze();
    server.lab.clock.set("2030-01-01T00:00:00Z");
    const now = Date.parse("2030-01-01T00:00:00Z") / 1000;
    assertEquals(decodeJwt(await server.issuer.buildToken()).iat, now);
    server.lab.clock.advance("1h");
    assertEquals(decodeJwt((await (await login(server)).json()).id_token).iat, now + 3600);
  });

  it.atServer("makes faults, on top of what listeners changed", async (server) => {
    server.lab.fault("userinfo.server_error", { times: 1 });
    assertEquals((await server.lab.fetch(`${server.lab.issuer}/userinfo`)).status, 500);
    server.service.once(Events.BeforeTokenSigning, ({ payload }) => void (payload.roles = ["a"]));
    server.lab.fault("id_token.wrong_aud", { times: 1 });
    const tokens = await (await login(server)).json();
    assertEquals(decodeJwt(tokens.access_token).roles, ["a"]);
    const keys = await keysOf(server);
    const { payload, protectedHeader } = await jwtVerify(tokens.id_token, keys);
    assert(payload.aud !== "web");
    assertEquals(protectedHeader.kid, "one");
    server.lab.fault("callback.wrong_state", { times: 1 });
    const location = (await authorize(server)).headers.get("Location") ?? "";
    assert(new URL(location).searchParams.get("state") !== "a-state");
  });

  it.atServer("drills a login, and finds a client that accepts everything", async (server) => {
    const careless = async () => {
      if ((await login(server)).status !== 200) throw new Error("No tokens.");
    };
    const result = await server.lab.drill(careless, ["callback.wrong_state", "id_token.expired"]);
    assertEquals(result.outcomes.map(({ outcome }) => outcome), ["accepted", "accepted"]);
  });

  it.atServer("puts the nonce of a request into one ID token only", async (server) => {
    const location = (await authorize(server, { nonce: "n" })).headers.get("Location") ?? "";
    const code = new URL(location).searchParams.get("code") ?? "";
    const first = await (await redeem(server, { code, redirect_uri: callback })).json();
    const second = await (await redeem(server, { code, redirect_uri: callback })).json();
    assertEquals(decodeJwt(first.id_token).nonce, "n");
    assertEquals(decodeJwt(second.id_token).nonce, undefined);
  });
});
