import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { describe } from "node:test";
import * as peer from "oauth2-mock-server";
import * as ours from "../../../src/compat/oauth2_mock_server.ts";
import { itWith } from "../../support/it_with.ts";

/** The documented interface, which both modules have. */
type Mock = typeof ours;

const modules: ReadonlyArray<[name: string, module: Mock]> = [
  ["oauth2-mock-server 9.3.0", peer as unknown as Mock],
  ["hallpass/compat/oauth2-mock-server", ours],
];

const callback = "http://app.example/callback";

type Json = Record<string, unknown>;

type AtServer = (server: InstanceType<Mock["OAuth2Server"]>, url: string) => Promise<void>;

/** Starts a server with one key, for one test. */
async function withServer(
  { OAuth2Server }: Mock,
  run: AtServer,
  ...args: ConstructorParameters<Mock["OAuth2Server"]>
): Promise<void> {
  const server = new OAuth2Server(...args);
  // A key for RS256 takes long to make.
  await server.issuer.keys.generate("ES256");
  await server.start(0, "localhost");
  try {
    await run(server, (server.issuer.url ?? "").replace(/\/$/, ""));
  } finally {
    await server.stop();
  }
}

async function get(url: string): Promise<Response> {
  return await fetch(url, { redirect: "manual" });
}

async function post(url: string, form: Record<string, string>): Promise<Response> {
  return await fetch(url, { method: "POST", body: new URLSearchParams(form) });
}

async function tokens(url: string, form: Record<string, string>): Promise<Record<string, string>> {
  const response = await post(`${url}/token`, form);
  assertEquals(response.status, 200);
  return await response.json();
}

async function authorize(url: string, parameters: Record<string, string> = {}): Promise<URL> {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "web",
    redirect_uri: callback,
    scope: "openid",
    ...parameters,
  });
  const response = await get(`${url}/authorize?${query}`);
  await response.body?.cancel();
  assertEquals(response.status, 302);
  return new URL(response.headers.get("Location") ?? "");
}

async function claimsOf(url: string, token = ""): Promise<Json> {
  const keys = createLocalJWKSet(await (await get(`${url}/jwks`)).json());
  return (await jwtVerify(token, keys)).payload;
}

for (const [name, mock] of modules) {
  const { Events, JWKStore, OAuth2Issuer, OAuth2Server } = mock;

  const it = itWith({ atServer: { around: (act: AtServer) => withServer(mock, act) } });

  describe(`The documented interface, as ${name} has it`, () => {
    it("has an issuer URL while it listens", async () => {
      const server = new OAuth2Server();
      assertEquals(server.issuer.url, undefined);
      assertEquals(server.listening, false);
      assertThrows(() => server.address(), Error, "Server is not started.");
      await server.start();
      assertEquals(server.issuer.url, `http://localhost:${server.address().port}`);
      assertEquals(server.listening, true);
      await assertRejects(() => server.start(), Error, "already been started");
      await server.stop();
      assertEquals(server.listening, false);
      await assertRejects(() => server.stop(), Error, "Server is not started.");
    });

    it.atServer("keeps the issuer URL that a test set", async (server) => {
      server.issuer.url = "https://issuer.example/realm";
      const token = await server.issuer.buildToken();
      assertEquals(decodeJwt(token).iss, "https://issuer.example/realm");
    });

    for (const alg of ["RS256", "RS512", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"]) {
      it(`generates a key for ${alg}, and signs with it`, async () => {
        const issuer = new OAuth2Issuer();
        issuer.url = "https://issuer.example";
        const key = await issuer.keys.generate(alg, { kid: "one" });
        assertEquals([key.kid, key.alg, typeof key.d], ["one", alg, "string"]);
        const token = await issuer.buildToken();
        assertEquals(decodeProtectedHeader(token), { typ: "JWT", kid: "one", alg });
        const keys = createLocalJWKSet({ keys: issuer.keys.toJSON() } as never);
        const { payload } = await jwtVerify(token, keys);
        assertEquals(Number(payload.exp) - Number(payload.iat), 3600);
        assertEquals(Number(payload.iat) - Number(payload.nbf), 10);
        assertEquals(payload.iss, "https://issuer.example");
      });
    }

    it("refuses keys that cannot sign", async () => {
      const store = new JWKStore();
      const key = await store.generate("ES256");
      const [publicKey = {}] = store.toJSON();
      assertEquals("d" in publicKey, false);
      await assertRejects(() => store.add({ kty: "EC" }), Error, 'Unspecified JWK "alg" property');
      await assertRejects(() => store.add({ ...key, alg: "HS256" }), Error);
      await assertRejects(() => store.add(publicKey), Error, "private");
      await assertRejects(() => store.generate("HS256"), Error, '"alg"');
    });

    it("takes keys in turns, or the one with a kid, and replaces one with the same kid", async () => {
      const store = new JWKStore();
      assertEquals(store.get(), undefined);
      for (const kid of ["one", "two"]) await store.generate("ES256", { kid });
      assertEquals([store.get()?.kid, store.get()?.kid, store.get()?.kid], ["one", "two", "one"]);
      assertEquals(store.get("two")?.kid, "two");
      assertEquals(store.get("three"), undefined);
      const [, two = {}] = store.toJSON(true);
      await store.add({ ...two, kid: "one" });
      assertEquals(store.get("one")?.x, store.get("two")?.x);
      assertEquals(store.toJSON().map(({ kid }) => kid).sort(), ["one", "two"]);
    });

    it.atServer(
      "builds tokens with a scope, a lifetime or whatever a transformation writes",
      async ({ issuer }, url) => {
        const scoped = await issuer.buildToken({ scopesOrTransform: ["a", "b"], expiresIn: 5 });
        const { scope, exp, iat } = await claimsOf(url, scoped);
        assertEquals([scope, Number(exp) - Number(iat)], ["a b", 5]);
        const transformed = await issuer.buildToken({
          scopesOrTransform: (header, payload) => {
            header.typ = "at+jwt";
            Object.assign(payload, { sub: "zoe", aud: "api" });
          },
        });
        assertEquals(decodeProtectedHeader(transformed).typ, "at+jwt");
        assertEquals((await claimsOf(url, transformed)).sub, "zoe");
        const unknown = () => issuer.buildToken({ kid: "none" });
        await assertRejects(unknown, Error, "Cannot build token: Unknown key.");
        issuer.once("beforeSigning", ({ payload }) => void (payload.sub = "yve"));
        assertEquals((await claimsOf(url, await issuer.buildToken())).sub, "yve");
      },
    );

    it("has metadata with its own paths", async () => {
      const endpoints = { token: "/oauth/token" };
      await withServer(
        mock,
        async (_server, url) => {
          const metadata = await (await get(`${url}/.well-known/openid-configuration`)).json();
          const expected = {
            issuer: url,
            token_endpoint: `${url}/oauth/token`,
            authorization_endpoint: `${url}/authorize`,
            userinfo_endpoint: `${url}/userinfo`,
            jwks_uri: `${url}/jwks`,
            revocation_endpoint: `${url}/revoke`,
            end_session_endpoint: `${url}/endsession`,
            introspection_endpoint: `${url}/introspect`,
          };
          assertEquals({ ...metadata, ...expected }, metadata);
          const { access_token } = await (await post(`${url}/oauth/token`, {
            grant_type: "client_credentials",
          })).json();
          assertEquals((await claimsOf(url, access_token)).iss, url);
        },
        undefined,
        undefined,
        { endpoints },
      );
    });

    it("has its metadata at a path of the test, changed by its listener", async () => {
      const endpoints = { wellKnownDocument: "/realms/one/metadata" };
      const run = async ({ service }: InstanceType<typeof OAuth2Server>, url: string) => {
        service.once(Events.BeforeWellKnownOpenIdConfiguration, (response) => {
          response.statusCode = 203;
          Object.assign(response.body, { jwks_uri: "https://keys.example/" });
        });
        const changed = await get(url + endpoints.wellKnownDocument);
        assertEquals([changed.status, (await changed.json()).jwks_uri], [
          ...[203, "https://keys.example/"],
        ]);
        const { issuer } = await (await get(url + endpoints.wellKnownDocument)).json();
        assertEquals(issuer, url);
      };
      await withServer(mock, run, undefined, undefined, { endpoints });
    });

    it.atServer("lets nothing store its tokens", async (_server, url) => {
      const { headers } = await post(`${url}/token`, { grant_type: "client_credentials" });
      assertEquals([headers.get("Cache-Control"), headers.get("Pragma")], [
        ...["no-store", "no-cache"],
      ]);
    });

    it.atServer(
      "signs in at any client and redirect URI, with the state and the nonce",
      async (_server, url) => {
        const { searchParams } = await authorize(url, { state: "a-state", nonce: "a-nonce" });
        assertEquals(searchParams.get("state"), "a-state");
        const code = searchParams.get("code") ?? "";
        const redeemed = await tokens(url, {
          grant_type: "authorization_code",
          code,
          client_id: "web",
          redirect_uri: callback,
        });
        assertEquals(Object.keys(redeemed).sort(), [
          "access_token",
          "expires_in",
          "id_token",
          "refresh_token",
          "scope",
          "token_type",
        ]);
        const { sub, aud, nonce } = await claimsOf(url, redeemed.id_token);
        assertEquals([sub, aud, nonce], ["johndoe", "web", "a-nonce"]);
        const access = await claimsOf(url, redeemed.access_token);
        assertEquals([access.sub, access.amr, access.scope], ["johndoe", ["pwd"], "dummy"]);
        const refreshed = await tokens(url, {
          grant_type: "refresh_token",
          refresh_token: redeemed.refresh_token ?? "",
          client_id: "web",
          scope: "read",
        });
        assertEquals((await claimsOf(url, refreshed.access_token)).scope, "read");
        assertEquals((await claimsOf(url, refreshed.id_token)).nonce, undefined);
      },
    );

    it.atServer("accepts codes and refresh tokens that it never issued", async (_server, url) => {
      for (const grant_type of ["authorization_code", "refresh_token"]) {
        const form = { grant_type, code: "any", refresh_token: "any", scope: "a b" };
        const headers = { Authorization: `Basic ${btoa("web:secret")}` };
        const body = new URLSearchParams(form);
        const response = await fetch(`${url}/token`, { method: "POST", headers, body });
        const { scope, id_token } = await response.json();
        assertEquals([scope, (await claimsOf(url, id_token)).aud], ["a b", "web"]);
      }
    });

    it.atServer(
      "has the grants without a redirect: credentials, password, assertion",
      async (_server, url) => {
        const service = await tokens(url, { grant_type: "client_credentials", aud: "api" });
        assertEquals((await claimsOf(url, service.access_token)).aud, "api");
        assertEquals([service.refresh_token, service.id_token], [undefined, undefined]);
        const password = { grant_type: "password", username: "bob", password: "any" };
        const user = await tokens(url, password);
        assertEquals((await claimsOf(url, user.access_token)).sub, "bob");
        assertEquals((await claimsOf(url, user.id_token)).sub, "johndoe");
        const [header, payload] = [{ alg: "none" }, { sub: "zed", iss: "x", aud: "y" }]
          .map((part) => btoa(JSON.stringify(part)).replaceAll("=", ""));
        const asserted = await tokens(url, {
          grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
          assertion: `${header}.${payload}.sig`,
        });
        const { sub, client_id } = await claimsOf(url, asserted.access_token);
        assertEquals([sub, client_id], ["zed", "zed"]);
      },
    );

    it.atServer("refuses a grant that is unknown", async (_server, url) => {
      const response = await post(`${url}/token`, { grant_type: "unknown", client_id: "web" });
      await response.body?.cancel();
      assertEquals(response.status, 400);
    });

    it.atServer("checks PKCE if a client uses it, S256 or plain", async (_server, url) => {
      const verifier = "v".repeat(43);
      const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
      const challenge = btoa(String.fromCharCode(...new Uint8Array(hash)))
        .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
      const redeem = async (parameters: Record<string, string>, code_verifier: string) => {
        const code = (await authorize(url, parameters)).searchParams.get("code") ?? "";
        const form = { grant_type: "authorization_code", client_id: "web", code, code_verifier };
        const response = await post(`${url}/token`, { ...form, redirect_uri: callback });
        await response.body?.cancel();
        return response.status;
      };
      const s256 = { code_challenge: challenge, code_challenge_method: "S256" };
      assertEquals(await redeem(s256, verifier), 200);
      assertEquals(await redeem(s256, "w".repeat(43)), 400);
      assertEquals(await redeem(s256, "short"), 400);
      assertEquals(await redeem({ code_challenge: verifier }, verifier), 200);
      assertEquals(await redeem({ code_challenge: verifier }, "w".repeat(43)), 400);
      assertEquals(await redeem({}, verifier), 400);
    });

    it.atServer("answers for any token, and redirects after a sign-out", async (_server, url) => {
      assertEquals(await (await get(`${url}/userinfo`)).json(), { sub: "johndoe" });
      assertEquals(await (await post(`${url}/introspect`, { token: "any" })).json(), {
        active: true,
      });
      const revoked = await post(`${url}/revoke`, { token: "any" });
      assertEquals([revoked.status, await revoked.text()], [200, ""]);
      const target = new URLSearchParams({ post_logout_redirect_uri: callback, state: "s" });
      const left = await get(`${url}/endsession?${target}`);
      assertEquals(left.status, 302);
      assertEquals(left.headers.get("Location"), `${callback}?state=s`);
    });

    it.atServer(
      "redirects with an error for another response type, and refuses a missing redirect URI",
      async (_server, url) => {
        const { searchParams } = await authorize(url, { response_type: "token", state: "s" });
        assertEquals(searchParams.get("error"), "unsupported_response_type");
        assertEquals(searchParams.get("state"), "s");
        assertEquals((await get(`${url}/authorize`)).status, 400);
      },
    );

    it.atServer("serves nothing of a lab", async (_server, url) => {
      for (const path of ["/lab", "/lab/reset", "/oauth2/token", "/t/1/lab"]) {
        const response = await get(`${url}${path}`);
        await response.body?.cancel();
        assertEquals(response.status, 404, path);
      }
    });

    it.atServer("lets listeners change tokens, once or each time", async ({ service }, url) => {
      const request = { grant_type: "authorization_code", code: "any", client_id: "web" };
      service.on(Events.BeforeTokenSigning, (token, { body }) => {
        token.payload.client_id = body.client_id;
      });
      service.once("beforeTokenSigning", (token) => {
        token.header.kid = "another";
        token.payload = { ...token.payload, roles: ["admin"] };
      });
      const first = await tokens(url, request);
      assertEquals(decodeProtectedHeader(first.access_token ?? "").kid, "another");
      const id = await claimsOf(url, first.id_token);
      assertEquals([id.client_id, id.roles], ["web", undefined]);
      service.removeAllListeners(Events.BeforeTokenSigning);
      const second = await tokens(url, request);
      assertEquals((await claimsOf(url, second.access_token)).client_id, undefined);
    });

    it.atServer("has listeners that a test removes and adds again", async ({ service }, url) => {
      let calls = 0;
      const count = () => void calls++;
      service.on(Events.BeforeUserinfo, count);
      const [listener] = service.listeners(Events.BeforeUserinfo);
      assertEquals(listener, count);
      for (const remove of ["off", "removeListener"] as const) {
        await (await get(`${url}/userinfo`)).body?.cancel();
        service[remove](Events.BeforeUserinfo, count);
        await (await get(`${url}/userinfo`)).body?.cancel();
        service.on(Events.BeforeUserinfo, count);
      }
      assertEquals(calls, 2);
      service.removeAllListeners();
      assertEquals(service.listeners(Events.BeforeUserinfo), []);
    });

    it.atServer("lets listeners change responses", async ({ service }, url) => {
      service.once(Events.BeforeResponse, (response, request) => {
        assertEquals([request.method, request.url], ["POST", "/token"]);
        Object.assign(response, { statusCode: 400, body: { error: "invalid_grant" } });
      });
      const refused = await post(`${url}/token`, { grant_type: "client_credentials" });
      assertEquals([refused.status, await refused.json()], [400, { error: "invalid_grant" }]);
      service.once(Events.BeforeUserinfo, (response, { headers }) => {
        Object.assign(response, { statusCode: 401, body: { token: headers.authorization } });
      });
      const authorization = "Bearer any";
      const userinfo = await fetch(`${url}/userinfo`, { headers: { authorization } });
      assertEquals([userinfo.status, await userinfo.json()], [401, { token: authorization }]);
      service.once(Events.BeforeRevoke, (response) => void (response.statusCode = 418));
      assertEquals((await post(`${url}/revoke`, {})).status, 418);
      service.once(Events.BeforeIntrospect, (response) => {
        response.body = { active: true, scope: "read" };
      });
      assertEquals((await (await post(`${url}/introspect`, {})).json()).scope, "read");
      service.once(Events.BeforeWellKnownOpenIdConfiguration, ({ body }) => {
        Object.assign(body, { authorization_endpoint: "http://browser.example/authorize" });
      });
      const metadata = await (await get(`${url}/.well-known/openid-configuration`)).json();
      assertEquals(metadata.authorization_endpoint, "http://browser.example/authorize");
    });

    it.atServer("lets listeners change redirects", async ({ service }, url) => {
      service.once(Events.BeforeAuthorizeRedirect, (redirect) => {
        redirect.url.searchParams.set("code", "chosen");
        redirect.url.searchParams.set("foo", "bar");
      });
      const { searchParams } = await authorize(url);
      assertEquals([searchParams.get("code"), searchParams.get("foo")], ["chosen", "bar"]);
      service.once(Events.BeforePostLogoutRedirect, (redirect) => {
        redirect.url.searchParams.set("foo", "bar");
      });
      const target = new URLSearchParams({ post_logout_redirect_uri: callback });
      const left = await get(`${url}/endsession?${target}`);
      assertEquals(left.headers.get("Location"), `${callback}?foo=bar`);
    });

    it.atServer("responds with 500 if a listener throws", async ({ service }, url) => {
      const { error } = console;
      console.error = () => {};
      try {
        service.once(Events.BeforeResponse, () => {
          throw new Error("of the test");
        });
        const form = { grant_type: "client_credentials" };
        assertEquals((await post(`${url}/token`, form)).status, 500);
        assertEquals((await post(`${url}/token`, form)).status, 200);
      } finally {
        console.error = error;
      }
    });

    it("has routes of the test", async () => {
      const server = new OAuth2Server();
      server.service.addRoute("POST", "/api/clients", (request, response) => {
        response.statusCode = 201;
        response.setHeader("X-Test", "one");
        response.end(JSON.stringify(request.body));
      });
      await server.start(0, "localhost");
      const url = `${server.issuer.url}/api/clients`;
      const headers = { "Content-Type": "application/json" };
      const form = new URLSearchParams({ name: "web" });
      for (const request of [{ body: form }, { body: '{"name":"web"}', headers }]) {
        const response = await fetch(url, { method: "POST", ...request });
        assertEquals([response.status, response.headers.get("X-Test")], [201, "one"]);
        assertEquals(await response.json(), { name: "web" });
      }
      await server.stop();
    });
  });
}
