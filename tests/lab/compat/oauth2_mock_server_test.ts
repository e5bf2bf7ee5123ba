import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { describe, it } from "node:test";
import { Events, OAuth2Server } from "../../../src/lab/compat/oauth2_mock_server/mod.ts";
import { LabError } from "../../../src/lab/util/lab_error.ts";
import { challenge, verifier } from "../../support/flow_kit.ts";
import { type MockRequest, sendMessage } from "../../support/mock_message.ts";

const callback = "http://app.example/callback";

/** Starts a server for one test. Requests go to its lab, without a port. */
async function withServer(run: (server: OAuth2Server) => Promise<void>): Promise<void> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("ES256", { kid: "one" });
  server.issuer.url = "https://provider.example";
  await server.service.openLab();
  try {
    await run(server);
  } finally {
    await server.service.closeLab();
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

describe("The lab behind the interface of oauth2-mock-server", () => {
  it("opens with the server, and not before", () => {
    const server = new OAuth2Server();
    assertThrows(() => server.lab, LabError, "Start the server first");
  });

  it("records logins as flows, and names every leniency in its report", async () => {
    await withServer(async (server) => {
      const { access_token } = await (await login(server)).json();
      const headers = { Authorization: `Bearer ${access_token}` };
      const userinfo = await server.lab.fetch(`${server.lab.issuer}/userinfo`, { headers });
      assertEquals(await userinfo.json(), { sub: "johndoe" });
      const [flow] = server.lab.flows();
      assertEquals(flow?.steps.map(({ what }) => what), ["answered", "redeemed", "used"]);
      const { leniencies, refused } = server.lab.report();
      assertEquals(refused, []);
      assertEquals(leniencies, [
        "oauth2-mock-server: requests that break a rule",
        "oauth2-mock-server: the password grant",
        "oauth2-mock-server: PKCE with plain",
        "oauth2-mock-server: userinfo and introspection of any token",
        "oauth2-mock-server: token requests as JSON",
        "oauth2-mock-server: authorization responses without iss",
        "oauth2-mock-server: any redirect after a sign-out",
        "anyClient",
        "unknownClientPkce: optional",
        "anyScope",
        "anyGrant",
        "redirectStatus: 302",
        "clientDefaults.redirectUriAtToken: if-present",
      ]);
      server.lab.assertClean({ refused: true });
    });
  });

  it("reports what the server would refuse, and refuses it when it is strict", async () => {
    await withServer(async (server) => {
      const { lab } = server;
      const location = (await authorize(server)).headers.get("Location") ?? "";
      const code = new URL(location).searchParams.get("code") ?? "";
      const wrong = { code, redirect_uri: "http://other.example/" };
      assertEquals((await redeem(server, wrong)).status, 200);
      const password = { grant_type: "password", username: "bob" };
      assertEquals((await redeem(server, password)).status, 200);
      assertEquals(lab.report().refused.map(({ path, rule }) => [path, rule]), [
        ["/token", "code.redirect_uri"],
        ["/token", "grant_type.supported"],
      ]);
      assertThrows(() => lab.assertClean({ refused: true }), LabError, "redirect_uri");
      server.strict = true;
      const refused = await redeem(server, wrong);
      assertEquals([refused.status, (await refused.json()).error], [400, "invalid_grant"]);
      assertEquals((await lab.fetch(`${lab.issuer}/userinfo`)).status, 401);
      const denied = (await authorize(server, { code_challenge: "c".repeat(43) })).headers;
      assertMatch(denied.get("Location") ?? "", /error=invalid_request/);
      assertEquals((await login(server)).status, 200);
    });
  });

  it("refuses a login without PKCE and a made-up code when it is strict, and reports both", async () => {
    await withServer(async (server) => {
      await login(server);
      server.strict = true;
      const location = new URL((await authorize(server)).headers.get("Location") ?? "");
      assertEquals(location.searchParams.get("error"), "invalid_request");
      const made = { code: "zzz", redirect_uri: callback, code_verifier: verifier };
      for (const code of ["zzz", crypto.randomUUID()]) {
        const refused = await redeem(server, { ...made, code });
        assertEquals([refused.status, (await refused.json()).error], [400, "invalid_grant"]);
      }
      const refresh = { grant_type: "refresh_token", refresh_token: "made-up" };
      assertEquals((await redeem(server, refresh)).status, 400);
      const { refused } = server.lab.report();
      assertEquals(refused.map(({ rule }) => rule), [
        "challenge.present",
        "code.known",
        "code.known",
        "refresh_token.known",
      ]);
      assertThrows(() => server.lab.assertClean({ refused: true }), LabError, "code_challenge");
    });
  });

  it("refuses unknown tokens when it is strict", async () => {
    await withServer(async (server) => {
      server.strict = true;
      const { lab } = server;
      const headers = { Authorization: "Bearer made-up" };
      assertEquals((await lab.fetch(`${lab.issuer}/userinfo`, { headers })).status, 401);
      const body = new URLSearchParams({ client_id: "web", client_secret: "s", token: "made-up" });
      const introspected = await lab.fetch(`${lab.issuer}/introspect`, { method: "POST", body });
      assertEquals(await introspected.json(), { active: false });
    });
  });

  it("lists what it accepts although it is strict: what a suite cannot configure", async () => {
    await withServer(async (server) => {
      server.strict = true;
      assertEquals((await login(server)).status, 200);
      assertEquals(server.lab.report().leniencies, [
        "oauth2-mock-server: token requests as JSON",
        "oauth2-mock-server: authorization responses without iss",
        "oauth2-mock-server: any redirect after a sign-out",
        "anyClient",
        "anyScope",
        "redirectStatus: 302",
      ]);
    });
  });

  it("moves the clock of tokens", async () => {
    await withServer(async (server) => {
      server.lab.clock.freeze();
      server.lab.clock.set("2030-01-01T00:00:00Z");
      const now = Date.parse("2030-01-01T00:00:00Z") / 1000;
      assertEquals(decodeJwt(await server.issuer.buildToken()).iat, now);
      server.lab.clock.advance("1h");
      assertEquals(decodeJwt((await (await login(server)).json()).id_token).iat, now + 3600);
    });
  });

  it("makes faults, on top of what listeners changed", async () => {
    await withServer(async (server) => {
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
  });

  it("lets faults sign with keys that were added later", async () => {
    await withServer(async (server) => {
      await server.issuer.keys.generate("EdDSA", { kid: "two" });
      for (const kid of ["one", "two", "one"]) {
        server.lab.fault("id_token.wrong_iss", { times: 1 });
        const { id_token } = await (await login(server)).json();
        const { protectedHeader } = await jwtVerify(id_token, await keysOf(server));
        assert(["one", "two"].includes(protectedHeader.kid ?? ""), kid);
      }
    });
  });

  it("drills a login, and finds a client that accepts everything", async () => {
    await withServer(async (server) => {
      const careless = async () => {
        if ((await login(server)).status !== 200) throw new Error("No tokens.");
      };
      const result = await server.lab.drill(careless, ["callback.wrong_state", "id_token.expired"]);
      assertEquals(result.outcomes.map(({ outcome }) => outcome), ["accepted", "accepted"]);
    });
  });

  it("puts the nonce of a request into one ID token only", async () => {
    await withServer(async (server) => {
      const location = (await authorize(server, { nonce: "n" })).headers.get("Location") ?? "";
      const code = new URL(location).searchParams.get("code") ?? "";
      const first = await (await redeem(server, { code, redirect_uri: callback })).json();
      const second = await (await redeem(server, { code, redirect_uri: callback })).json();
      assertEquals([decodeJwt(first.id_token).nonce, decodeJwt(second.id_token).nonce], [
        "n",
        undefined,
      ]);
    });
  });

  const query = new URLSearchParams({ response_type: "code", client_id: "web", scope: "openid" });
  const long = { method: "POST", path: "/token", headers: {}, body: "a".repeat(1_048_577) };
  const oddRequests: ReadonlyArray<[status: number, request: MockRequest, problem: string]> = [
    ...["", "x", "//", "http://", "http://[", "%"].map((url) =>
      [
        400,
        { method: "GET", path: `/authorize?${query}&redirect_uri=${encodeURIComponent(url)}` },
        "'redirect_uri' is not a URL",
      ] as const
    ),
    ...[" ", "x", "//", "http://", "http://[", "%"].map((url) =>
      [
        400,
        { method: "GET", path: `/endsession?post_logout_redirect_uri=${encodeURIComponent(url)}` },
        "'post_logout_redirect_uri' is not a URL",
      ] as const
    ),
    [413, long, "The body is too long."] as const,
  ].map(([status, request, problem]) => [status, { headers: {}, ...request }, problem]);
  for (const [status, request, problem] of oddRequests) {
    it(`responds with ${status} to ${request.method} ${request.path}`, async () => {
      await withServer(async (server) => {
        const sent = await sendMessage(server, request);
        assertEquals([sent.status, JSON.parse(sent.text).detail], [status, problem]);
      });
    });
  }
});
