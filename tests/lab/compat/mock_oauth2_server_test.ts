import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { describe, it } from "node:test";
import {
  type MockOAuth2Config,
  MockOAuth2Server,
} from "../../../src/lab/compat/mock_oauth2_server/mod.ts";
import { LabError } from "../../../src/lab/util/lab_error.ts";
import { challenge, verifier } from "../../support/flow_kit.ts";

const redirectUri = "http://mycallback/";

/** Starts a server without a port, for one test. */
async function withServer(
  run: (server: MockOAuth2Server) => Promise<void>,
  config: MockOAuth2Config = {},
): Promise<void> {
  const server = new MockOAuth2Server(config);
  await server.start(false);
  try {
    await run(server);
  } finally {
    await server.shutdown();
  }
}

function authorizeUrl(
  server: MockOAuth2Server,
  issuerId: string,
  parameters: Record<string, string> = {},
): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "client1",
    redirect_uri: redirectUri,
    scope: "openid",
    state: "a-state",
    ...parameters,
  });
  return `${server.authorizationEndpointUrl(issuerId)}?${query}`;
}

async function codeFrom(response: Response): Promise<string> {
  await response.body?.cancel();
  assertEquals(response.status, 302);
  return new URL(response.headers.get("Location") ?? "").searchParams.get("code") ?? "";
}

async function authorize(
  server: MockOAuth2Server,
  issuerId = "default",
  parameters: Record<string, string> = {},
): Promise<string> {
  const url = authorizeUrl(server, issuerId, parameters);
  return await codeFrom(await server.lab.fetch(url, { redirect: "manual" }));
}

type Tokens = Record<"access_token" | "id_token" | "refresh_token" | "error", string>;

async function request(
  server: MockOAuth2Server,
  issuerId: string,
  form: Record<string, string>,
): Promise<[status: number, body: Tokens]> {
  const body = new URLSearchParams({ client_id: "client1", client_secret: "secret", ...form });
  const url = server.tokenEndpointUrl(issuerId);
  const response = await server.lab.fetch(url, { method: "POST", body });
  return [response.status, await response.json()];
}

async function redeem(server: MockOAuth2Server, code: string, issuerId = "default") {
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
  return await request(server, issuerId, form);
}

async function getJson(server: MockOAuth2Server, url: string, init: RequestInit = {}) {
  const response = await server.lab.fetch(url, init);
  return [response.status, await response.json()];
}

async function verified(server: MockOAuth2Server, issuerId: string, token: string) {
  const [, keys] = await getJson(server, server.jwksUrl(issuerId));
  const options = { issuer: server.issuerUrl(issuerId) };
  return (await jwtVerify(token, createLocalJWKSet(keys), options)).payload;
}

describe("An issuer of mock-oauth2-server", () => {
  it("is made on first touch, with metadata of both kinds", async () => {
    await withServer(async (server) => {
      for (const id of ["default", "foo"]) {
        const [, metadata] = await getJson(server, server.wellKnownUrl(id));
        const other = server.oauth2AuthorizationServerMetadataUrl(id);
        assertEquals((await getJson(server, other))[1], metadata);
        assertEquals(metadata.issuer, server.issuerUrl(id));
        const urls = [
          "authorization",
          "token",
          "userinfo",
          "introspection",
          "revocation",
          "end_session",
        ]
          .map((name) => metadata[`${name}_endpoint`]);
        for (const url of urls) assert(url.startsWith(`${metadata.issuer}/`), url);
      }
    });
  });

  it("signs in without a page, and gives tokens what the test enqueued, in turn", async () => {
    await withServer(async (server) => {
      server.enqueueCallback({ issuerId: "custom", subject: "yolo", audience: ["myaud"] });
      server.enqueueCallback({ issuerId: "custom", claims: { acr: "Level4" }, expiry: 60 });
      const [, first] = await redeem(
        server,
        await authorize(server, "custom", { nonce: "n" }),
        "custom",
      );
      const id = await verified(server, "custom", first.id_token);
      const access = await verified(server, "custom", first.access_token);
      assertEquals([id.sub, id.aud, id.nonce, id.azp], ["yolo", "client1", "n", "client1"]);
      assertEquals([access.sub, access.aud, access.tid], ["yolo", "myaud", "custom"]);
      assertEquals(decodeProtectedHeader(first.id_token).kid, "custom");
      const [, second] = await redeem(server, await authorize(server, "custom"), "custom");
      const { acr, exp, iat } = decodeJwt(second.id_token);
      assertEquals([acr, Number(exp) - Number(iat)], ["Level4", 60]);
      const [, third] = await redeem(server, await authorize(server, "custom"), "custom");
      assertEquals([decodeJwt(third.id_token).acr, decodeJwt(third.access_token).aud], [
        undefined,
        "default",
      ]);
    });
  });

  it("redeems a code once, for any issuer of the lab, and checks PKCE if it is used", async () => {
    await withServer(async (server) => {
      const code = await authorize(server, "default");
      assertEquals((await redeem(server, code, "other"))[0], 200);
      const [status, { error }] = await redeem(server, code, "other");
      assertEquals([status, error], [400, "invalid_grant"]);
      const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
      const form = { grant_type: "authorization_code", redirect_uri: redirectUri };
      for (const [sent, expected] of [[verifier, 200], ["w".repeat(43), 400]] as const) {
        const bound = await authorize(server, "default", pkce);
        const proof = { ...form, code: bound, code_verifier: sent };
        assertEquals((await request(server, "default", proof))[0], expected);
      }
    });
  });

  it("refreshes with the same subject, and rotates if that is configured", async () => {
    for (const rotateRefreshToken of [false, true]) {
      await withServer(async (server) => {
        const [, tokens] = await redeem(server, await authorize(server));
        const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
        const [, refreshed] = await request(server, "default", form);
        assertEquals(decodeJwt(refreshed.id_token).sub, decodeJwt(tokens.id_token).sub);
        assertEquals(refreshed.refresh_token !== tokens.refresh_token, rotateRefreshToken);
        assertEquals((await request(server, "default", form))[0], rotateRefreshToken ? 400 : 200);
        const foreign = { ...form, refresh_token: refreshed.refresh_token };
        assertEquals((await request(server, "issuer-b", foreign))[1].error, "invalid_grant");
        const revoke = { token: refreshed.refresh_token, token_type_hint: "refresh_token" };
        const revocation = server.revocationEndpointUrl("default");
        const body = new URLSearchParams(revoke);
        assertEquals((await server.lab.fetch(revocation, { method: "POST", body })).status, 200);
        assertEquals((await request(server, "default", foreign))[1].error, "invalid_grant");
      }, { rotateRefreshToken });
    }
  });

  it("has the grants without a redirect", async () => {
    await withServer(async (server) => {
      const service = { grant_type: "client_credentials", scope: "openid api" };
      const [, { access_token }] = await request(server, "default", service);
      const { sub, aud } = await verified(server, "default", access_token);
      assertEquals([sub, aud], ["client1", "api"]);
      const password = { grant_type: "password", username: "foo", password: "bar", scope: "s1" };
      const [, user] = await request(server, "default", password);
      assertEquals([decodeJwt(user.id_token).sub, decodeJwt(user.access_token).aud], ["foo", "s1"]);
      const assertion = await server.issueToken({ subject: "zed", claims: { roles: ["a"] } });
      const type = "urn:ietf:params:oauth:grant-type";
      const bearer = { grant_type: `${type}:jwt-bearer`, assertion, scope: "api" };
      const [, onBehalf] = await request(server, "second", bearer);
      const claims = await verified(server, "second", onBehalf.access_token);
      assertEquals([claims.sub, claims.roles, claims.aud], ["zed", ["a"], "api"]);
      const exchange = {
        grant_type: `${type}:token-exchange`,
        subject_token: assertion,
        audience: "api2",
      };
      const [, exchanged] = await request(server, "second", exchange);
      assertEquals((await verified(server, "second", exchanged.access_token)).aud, "api2");
    });
  });

  it("refuses token requests as the peer does", async () => {
    const refused: ReadonlyArray<[form: Record<string, string>, error: string]> = [
      [{}, "invalid_request"],
      [{ grant_type: "unknown" }, "invalid_grant"],
      [{ grant_type: "authorization_code", code: "any" }, "invalid_grant"],
      [{ grant_type: "refresh_token", refresh_token: "any" }, "invalid_grant"],
      [{ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer" }, "invalid_request"],
    ];
    await withServer(async (server) => {
      for (const [form, error] of refused) {
        const [status, body] = await request(server, "default", form);
        assertEquals([status, body.error], [400, error]);
      }
    });
  });

  it("shows the claims of its own tokens alone, at userinfo and introspection", async () => {
    await withServer(async (server) => {
      const token = await server.issueToken({ subject: "foo", claims: { extra: "bar" } });
      const headers = { Authorization: `Bearer ${token}` };
      const [, claims] = await getJson(server, server.userInfoUrl("default"), { headers });
      assertEquals([claims.sub, claims.extra], ["foo", "bar"]);
      const foreign = await getJson(server, server.userInfoUrl("other"), { headers });
      assertEquals([foreign[0], foreign[1].error], [401, "invalid_token"]);
      const introspect = (of: string, authorization?: string) =>
        getJson(server, server.introspectUrl("default"), {
          method: "POST",
          body: new URLSearchParams({ token: of }),
          headers: authorization ? { authorization } : {},
        });
      const [, active] = await introspect(token, `Basic ${btoa("client1:secret")}`);
      assertEquals([active.active, active.sub, active.token_type], [true, "foo", "Bearer"]);
      assertEquals(await introspect("any", "Bearer x"), [200, { active: false }]);
      assertEquals((await introspect(token))[0], 400);
      server.lab.clock.advance("2h");
      assertEquals((await introspect(token, "Bearer x"))[1], { active: false });
    });
  });

  it("signs tokens of any issuer URL, which its key set verifies", async () => {
    await withServer(async (server) => {
      const issuerUrl = "https://customissuer/default";
      const token = await server.anyToken({ issuerUrl, claims: { sub: "mysub", aud: "myapp" } });
      const [, keys] = await getJson(server, server.jwksUrl("default"));
      const { payload } = await jwtVerify(token, createLocalJWKSet(keys), { issuer: issuerUrl });
      assertEquals([payload.sub, payload.aud], ["mysub", "myapp"]);
    });
  });

  it("redirects after a sign-out, and shows a line without a target", async () => {
    await withServer(async (server) => {
      const url = server.endSessionEndpointUrl("default");
      const query = new URLSearchParams({ post_logout_redirect_uri: redirectUri, state: "s" });
      const left = await server.lab.fetch(`${url}?${query}`, { redirect: "manual" });
      assertEquals(left.headers.get("Location"), `${redirectUri}?state=s`);
      assertEquals(await (await server.lab.fetch(url)).text(), "logged out");
    });
  });

  it("serves scripts of any origin", async () => {
    await withServer(async (server) => {
      const headers = { Origin: "https://spa.example" };
      const url = server.tokenEndpointUrl("default");
      const preflight = await server.lab.fetch(url, { method: "OPTIONS", headers });
      assertEquals(preflight.status, 204);
      const keys = await server.lab.fetch(server.jwksUrl("default"), { headers });
      assertEquals(keys.headers.get("Access-Control-Allow-Origin"), "https://spa.example");
      assertEquals(keys.headers.get("Access-Control-Allow-Credentials"), "true");
    });
  });
});

describe("The sign-in page of mock-oauth2-server", () => {
  const config: MockOAuth2Config = {
    interactiveLogin: true,
    tokenCallbacks: [{
      issuerId: "default",
      requestMappings: [
        {
          requestParam: "subject",
          match: "alice",
          claims: { role: "admin", preferred_username: "${subject}" },
        },
        { requestParam: "subject", match: ".*", claims: { sub: "mapped", role: "user" } },
      ],
    }],
  };

  async function signIn(server: MockOAuth2Server, form: Record<string, string>) {
    const url = authorizeUrl(server, "default");
    const page = await (await server.lab.fetch(url)).text();
    assertMatch(page, /<form method="post">/);
    const body = new URLSearchParams(form);
    const response = await server.lab.fetch(url, { method: "POST", body, redirect: "manual" });
    const [, tokens] = await redeem(server, await codeFrom(response));
    return decodeJwt(tokens.id_token);
  }

  it("takes any user name, which mappings match, and more claims, which replace none", async () => {
    await withServer(async (server) => {
      const claims = JSON.stringify({ role: "other", acr: "Level4" });
      const alice = await signIn(server, { username: "alice", claims });
      assertEquals([alice.sub, alice.role, alice.preferred_username, alice.acr], [
        "alice",
        "admin",
        "alice",
        "Level4",
      ]);
      const bob = await signIn(server, { username: "bob", claims: "no JSON" });
      assertEquals([bob.sub, bob.role], ["mapped", "user"]);
    }, config);
  });

  it("escapes what the request sends, and needs a user name", async () => {
    await withServer(async (server) => {
      const url = authorizeUrl(server, "default", { state: '"><script>alert(1)</script>' });
      const response = await server.lab.fetch(url);
      assert(!(await response.text()).includes("<script>"));
      assertMatch(response.headers.get("Content-Security-Policy") ?? "", /default-src 'none'/);
      const body = new URLSearchParams({ username: "" });
      assertEquals((await server.lab.fetch(url, { method: "POST", body })).status, 400);
    }, config);
  });

  it("comes with a prompt even if it is off", async () => {
    await withServer(async (server) => {
      const response = await server.lab.fetch(authorizeUrl(server, "default", { prompt: "login" }));
      assertMatch(await response.text(), /name="username"/);
    });
  });
});

describe("The settings of mock-oauth2-server", () => {
  it("map parameters to claims: by value, any value, expression, and with their values", async () => {
    const config: MockOAuth2Config = {
      tokenCallbacks: [{
        issuerId: "issuer1",
        tokenExpiry: 120,
        requestMappings: [
          { requestParam: "constructor", match: "*", claims: { sub: "no parameter" } },
          { requestParam: "scope", match: "scope1", claims: { sub: "byScope", aud: ["a"] } },
          {
            requestParam: "scope",
            match: "test:.*",
            claims: { sub: "${clientId}", s: "${scope}" },
          },
          { requestParam: "resource", match: "[", typeHeader: "JWT2", claims: { sub: "exact" } },
          { requestParam: "client_id", match: "*", claims: { nested: { of: ["${client_id}"] } } },
        ],
      }],
    };
    const cases: ReadonlyArray<[form: Record<string, string>, claims: Record<string, unknown>]> = [
      [{ scope: "scope1" }, { sub: "byScope", aud: ["a"] }],
      [{ scope: "test:x" }, { sub: "client1", s: "test:x" }],
      [{ resource: "[" }, { sub: "exact" }],
      [{}, { nested: { of: ["client1"] } }],
    ];
    await withServer(async (server) => {
      for (const [form, expected] of cases) {
        const grant = { grant_type: "client_credentials", ...form };
        const [, { access_token }] = await request(server, "issuer1", grant);
        const { iss: _, iat, nbf: __, exp, jti: ___, ...claims } = decodeJwt(access_token);
        assertEquals([claims, Number(exp) - Number(iat)], [expected, 120]);
        const { typ } = decodeProtectedHeader(access_token);
        assertEquals(typ, form.resource ? "JWT2" : "JWT");
      }
    }, config);
  });

  it("may have other expressions, and compare none with a long value", async () => {
    const matches = ["(a|b)+", "a+b*c{2,}", "[(+)+]+", "\\(a+\\)+", "(a+)?", "(a+){3}", "x+x+x+y"];
    const requestMappings = matches.map((match) => ({
      ...{ requestParam: "scope", match, claims: { sub: match } },
    }));
    await withServer(async (server) => {
      for (const [scope, sub] of [["abab", matches[0]], ["x".repeat(10_000), undefined]]) {
        const form = { grant_type: "client_credentials", scope: String(scope) };
        const [, { access_token }] = await request(server, "issuer1", form);
        assertEquals(decodeJwt(access_token).sub, sub);
      }
    }, { tokenCallbacks: [{ issuerId: "issuer1", requestMappings }] });
  });

  it("set the algorithm, the key and the time of tokens", async () => {
    const tokenProvider = {
      keyProvider: { algorithm: "ES256" },
      systemTime: "2020-01-21T00:00:00Z",
    };
    await withServer(async (server) => {
      const token = await server.issueToken({ issuerId: "issuer1" });
      assertEquals(decodeProtectedHeader(token).alg, "ES256");
      assertEquals(decodeJwt(token).iat, Date.parse("2020-01-21T00:00:00Z") / 1000);
    }, { tokenProvider });
  });

  const invalid: ReadonlyArray<[config: unknown, message: RegExp]> = [
    [{ interactiveLogins: true }, /interactiveLogins.*interactiveLogin/],
    [{ tokenCallbacks: [{ issuerId: "a" }] }, /tokenCallbacks\[0\]\.requestMappings/],
    [{ httpServer: "Jetty" }, /httpServer/],
    [{ httpServer: { ssl: { keystoreFile: "a.p12" } } }, /keystoreFile is not read/],
    [{ tokenProvider: { keyProvider: { algorithm: "RS384" } } }, /RS256, PS256, ES256/],
    [{ tokenProvider: { systemTime: "today" } }, /must be an instant/],
    ...["(a+)+", "(?:a*)*b", "((x|a+)y?)*", "([a-z]+\\.)+", "(a{1,9}){2,}", "(a|(b+))+"].map((
      match,
    ) =>
      [
        { tokenCallbacks: [{ issuerId: "a", requestMappings: [{ requestParam: "b", match }] }] },
        /requestMappings\[0\]\.match has a repetition within a repetition/,
      ] as [unknown, RegExp]
    ),
  ];
  for (const [config, message] of invalid) {
    it(`are refused with the reason: ${JSON.stringify(config)}`, () => {
      const error = assertThrows(() => new MockOAuth2Server(config as MockOAuth2Config), Error);
      assertMatch(error.message, message);
    });
  }
});

describe("The name of an issuer, which anyone can send", () => {
  it("cannot be one of a hundred others that exist already", async () => {
    await withServer(async (server) => {
      for (let at = 0; at < 100; at++) await server.lab.fetch(server.jwksUrl(`issuer-${at}`));
      const [status, body] = await getJson(server, server.jwksUrl("one-more"));
      assertEquals(status, 400);
      assertMatch(body.error_description, /100 issuers already/);
      assertEquals((await getJson(server, server.jwksUrl("issuer-7")))[0], 200);
    });
  });

  for (const name of ["__proto__", "-x", "a%20b", "%2e%2e%2flab", "a".repeat(65), "é", "a%00"]) {
    it(`cannot be ${name.slice(0, 20)}`, async () => {
      await withServer(async (server) => {
        const [status, body] = await getJson(server, server.jwksUrl(name));
        assertEquals([status, body.error], [400, "invalid_request"]);
      });
    });
  }

  for (const name of ["lab", "t", "oauth2", "static", ".well-known", "isalive", "start"]) {
    it(`leaves the lab what is below /${name}`, async () => {
      await withServer(async (server) => {
        const response = await server.lab.fetch(server.wellKnownUrl(name));
        const body = await response.text();
        assert(!body.includes(`/${name}/token`), body);
        assertThrows(() => server.enqueueCallback({ issuerId: name }), Error);
        await assertRejects(() => server.issueToken({ issuerId: name }), Error);
      });
    });
  }

  it("leaves the endpoints of the lab itself to its server", async () => {
    await withServer(async (server) => {
      const [status, { keys }] = await getJson(server, server.url("oauth2/jwks"));
      assertEquals(status, 200);
      assert(keys.every(({ kid }: { kid: string }) => kid !== "oauth2"));
      const form = { grant_type: "client_credentials", client_id: "demo-service" };
      const body = new URLSearchParams({ ...form, client_secret: "demo-service-secret" });
      const url = server.url("oauth2/token");
      const issued = await server.lab.fetch(url, { method: "POST", body });
      assertEquals(decodeJwt((await issued.json()).access_token).iss, server.lab.issuer);
    });
  });

  it("may be that of a member of every object", async () => {
    await withServer(async (server) => {
      for (const name of ["constructor", "toString", "hasOwnProperty"]) {
        const [, metadata] = await getJson(server, server.wellKnownUrl(name));
        assertEquals(metadata.issuer, server.issuerUrl(name));
      }
    });
  });
});

describe("The lab behind mock-oauth2-server", () => {
  it("opens with the server, and not before", () => {
    assertThrows(() => new MockOAuth2Server().lab, LabError, "not started");
  });

  it("has the requests, flows, faults, clock and report of all issuers", async () => {
    await withServer(async (server) => {
      const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
      const code = await authorize(server, "default", pkce);
      assertEquals((await server.takeRequest()).path, "/default/authorize");
      const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
      const [, { access_token }] = await request(server, "default", {
        ...form,
        code_verifier: verifier,
      });
      const headers = { Authorization: `Bearer ${access_token}` };
      await getJson(server, server.userInfoUrl("default"), { headers });
      const steps = server.lab.flows()[0]?.steps.map(({ what }) => what);
      assertEquals(steps, ["answered", "redeemed", "used"]);
      const { leniencies, refused, findings } = server.lab.report();
      assertEquals([refused, findings], [[], []]);
      assert(leniencies.includes("mock-oauth2-server: the password grant"));
      assert(leniencies.includes("anyClient"));
      server.lab.fault("jwks.empty", { times: 1 });
      assertEquals((await getJson(server, server.jwksUrl("default")))[1], { keys: [] });
      server.lab.fault("id_token.wrong_aud", { times: 1 });
      const [, tokens] = await redeem(server, await authorize(server));
      assert((await verified(server, "default", tokens.id_token)).aud !== "client1");
      server.lab.clock.advance("1d");
      const later = decodeJwt(await server.issueToken()).iat ?? 0;
      assert(later > Date.now() / 1000 + 86_000);
    });
  });

  it("refuses what breaks a rule when it is strict", async () => {
    await withServer(async (server) => {
      const password = { grant_type: "password", username: "foo" };
      assertEquals((await request(server, "default", password))[0], 200);
      assertEquals(server.lab.report().refused.map(({ rule }) => rule), ["grant_type.supported"]);
      server.strict = true;
      assertEquals((await request(server, "default", password))[1].error, "unsupported_grant_type");
    });
  });

  for (const nonce of [undefined, "n"]) {
    for (const rotateRefreshToken of [false, true]) {
      const login = `a login with${nonce ? "" : "out"} a nonce`;
      const rotation = rotateRefreshToken ? "another refresh token" : "the same refresh token";
      it(`refreshes twice after ${login} when it is strict, with ${rotation}`, async () => {
        await withServer(async (server) => {
          server.strict = true;
          let tokens = await signInStrictly(server, nonce);
          for (let at = 0; at < 2; at++) {
            const { refresh_token } = tokens;
            const form = { grant_type: "refresh_token", refresh_token };
            const [status, refreshed] = await request(server, "default", form);
            assertEquals([status, refreshed.error], [200, undefined]);
            assertEquals(refreshed.refresh_token !== refresh_token, rotateRefreshToken);
            tokens = refreshed;
          }
          assertEquals(server.lab.report().refused, []);
        }, { rotateRefreshToken });
      });
    }
  }

  it("lists what it accepts, and only the rest when it is strict", async () => {
    await withServer(async (server) => {
      const listed = () =>
        server.lab.report().leniencies
          .filter((each) => each.startsWith("mock-oauth2-server: "))
          .map((each) => each.slice("mock-oauth2-server: ".length));
      const alwaysAccepted = [
        "codes of any issuer of the lab",
        "authorization responses without iss",
        "refresh tokens that work again",
        "any redirect after a sign-out",
        "CORS with credentials for every origin",
      ];
      assertEquals(listed(), [
        "requests that break a rule",
        "the password grant",
        "PKCE with plain",
        "assertions and exchanged tokens without a check",
        ...alwaysAccepted,
      ]);
      server.strict = true;
      assertEquals(listed(), alwaysAccepted);
    });
  });

  it("accepts what it lists although it is strict, and no more", async () => {
    await withServer(async (server) => {
      server.strict = true;
      const code = await authorize(server, "default", pkce);
      const proof = { code, code_verifier: verifier, redirect_uri: redirectUri };
      const redemption = { grant_type: "authorization_code", ...proof };
      const [status, { refresh_token }] = await request(server, "other", redemption);
      assertEquals(status, 200);
      const form = { grant_type: "refresh_token", refresh_token };
      for (let at = 0; at < 2; at++) {
        assertEquals((await request(server, "other", form))[0], 200);
      }
      const url = server.endSessionEndpointUrl("default");
      const query = new URLSearchParams({ post_logout_redirect_uri: redirectUri });
      const left = await server.lab.fetch(`${url}?${query}`, { redirect: "manual" });
      assertEquals(left.headers.get("Location"), redirectUri);
      const plain = { code_challenge: verifier, code_challenge_method: "plain" };
      const refused = await server.lab.fetch(authorizeUrl(server, "default", plain), {
        redirect: "manual",
      });
      assertMatch(refused.headers.get("Location") ?? "", /error=invalid_request/);
      const assertion = await server.issueToken({ subject: "zed" });
      const type = "urn:ietf:params:oauth:grant-type";
      const bearer = { grant_type: `${type}:jwt-bearer`, assertion, scope: "api" };
      assertEquals((await request(server, "default", bearer))[0], 400);
      const exchange = { grant_type: `${type}:token-exchange`, subject_token: assertion };
      assertEquals((await request(server, "default", exchange))[0], 400);
      const typed = { subject_token_type: "urn:ietf:params:oauth:token-type:access_token" };
      assertEquals((await request(server, "default", { ...exchange, ...typed }))[0], 400);
    });
  });
});

const pkce = { code_challenge: challenge, code_challenge_method: "S256" };

/** Signs in as a strict lab wants it. */
async function signInStrictly(
  server: MockOAuth2Server,
  nonce: string | undefined,
): Promise<Tokens> {
  const code = await authorize(server, "default", { ...pkce, ...nonce && { nonce } });
  const proof = { code, code_verifier: verifier, redirect_uri: redirectUri };
  const [status, tokens] = await request(server, "default", {
    ...{ grant_type: "authorization_code", ...proof },
  });
  assertEquals(status, 200);
  return tokens;
}
