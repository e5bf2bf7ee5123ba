import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { decodeJwt, UnsecuredJWT } from "jose";
import { describe } from "node:test";
import {
  hallpass,
  type HallpassOptions,
  LabError,
  type TestLab,
} from "../../src/lab/testing/mod.ts";
import { ConfigError } from "../../src/server/mod.ts";
import { clientAssertionType } from "../../src/server/protocol/client_assertion.ts";
import { deviceCodeGrantType } from "../../src/server/protocol/grant_types.ts";
import { makeClientKey } from "../support/client_key.ts";
import { itWith } from "../support/it_with.ts";
import { claimsOf, openStrictKit, service } from "../support/kit.ts";
import { authorizationUrl } from "../support/login.ts";
import { logoutUrl, signedIn } from "../support/logout.ts";
import { registerAt } from "../support/registration.ts";
import { assertFindings, assertLeniency, assertReport } from "../support/reported.ts";
import { type Fields, testClient } from "../support/test_client.ts";

const it = itWith({
  inLab: () => hallpass(),
  inLabForAnyone: () => hallpass({ anyClient: true }),
  withResponseTypes: () => hallpass({ responseTypes }),
});

const responseTypes: HallpassOptions["responseTypes"] = ["code", "id_token", "code id_token"];

describe("Redirect URIs whose path is empty (RFC 3986, section 3.3), in a strict server", () => {
  const home = "http://localhost:3000";
  const client = { id: "spa", redirectUris: [home], postLogoutRedirectUris: [home] };
  const request = { client_id: "spa", redirect_uri: home, scope: "openid" };

  it("A12 get the authorization response, and the code is redeemed with the same text", async () => {
    const kit = openStrictKit({ clients: [client] });
    const browser = kit.browser();
    const callback = await browser.authorize(kit.authorizationUrl(request), {
      user: "alice",
      password: "alice",
    });
    assert(callback.startsWith(`${home}?code=`), callback);
    const code = new URL(callback).searchParams.get("code") ?? "";
    const fields = { client_id: "spa", redirect_uri: `${home}/` };
    assertEquals((await kit.redeem(code, fields)).status, 400);
    assertEquals((await kit.redeem(code, { ...fields, redirect_uri: home })).status, 200);
  });

  it("A12 A13 do not match the same URI with a slash", async () => {
    const kit = openStrictKit({ clients: [client] });
    const url = kit.authorizationUrl({ ...request, redirect_uri: `${home}/` });
    const response = await kit.server.fetch(new Request(url, { redirect: "manual" }));
    assertEquals([response.status, response.headers.get("Location")], [400, null]);
    assertMatch(await response.text(), /must be identical/);
  });

  it("A12 O13 are where users go after a sign-out, and a slash is another URI", async () => {
    const kit = openStrictKit({ clients: [client] });
    const actions = { user: "alice", password: "alice" };
    const { browser, idToken } = await signedIn(kit, request, actions);
    const leave = (uri: string) =>
      browser.open(logoutUrl(kit, { id_token_hint: idToken, post_logout_redirect_uri: uri }));
    assertMatch((await leave(`${home}/`)).url, /^https:\/\/hallpass\.test\/oauth2\/logout/);
    assertEquals((await leave(home)).url, home);
  });
});

describe("Demo clients", () => {
  it("follow the configured scopes", async () => {
    const scopes = { openid: "Know you", orders: "See your orders" };
    await using lab = await hallpass({ scopes });
    const { access_token } = await lab.mint({ sub: "demo-service" });
    assertEquals(claimsOf(access_token).scope, "orders");
    assertEquals(lab.clients.get("demo-spa").defaultScope, undefined);
  });

  it("follow the configured grants", async () => {
    await using lab = await hallpass({ grantTypes: ["client_credentials"] });
    assertEquals(lab.clients.list().map(({ id }) => id), ["demo-jwt", "demo-service"]);
    assertEquals(lab.clients.get("demo-service").grantTypes, ["client_credentials"]);
  });

  it.inLab("keep what they had with the scopes and grants of a lab", async (lab) => {
    const service = lab.clients.get("demo-service");
    assertEquals([service.scopes, service.defaultScope], [["read", "write"], ["read"]]);
    assertEquals(service.grantTypes?.length, 3);
    assert(service.tokenExchange);
  });

  it("start a flow with the scopes that exist", async () => {
    await using lab = await hallpass({ scopes: { openid: "Know you", orders: "Orders" } });
    const start = await lab.fetch(`${lab.issuer}/start?client_id=demo-spa`, { redirect: "manual" });
    const link = new URL(start.headers.get("Location") ?? "");
    assertEquals(link.searchParams.get("scope"), "openid");
  });
});

const client = testClient({ scope: "openid profile" });

/** Sends an authorization request with a nonce as alice, and returns its response. */
async function authorize(lab: TestLab, changes: Fields = {}) {
  const nonce = crypto.randomUUID();
  return { nonce, ...await client.authorize(lab, { nonce, ...changes }) };
}

describe("Scopes of a lab", () => {
  it("may be a list; those of OpenID Connect keep their text", async () => {
    await using lab = await hallpass({ scopes: ["openid", "orders"] });
    assertEquals((await client.metadata(lab)).scopes_supported, ["openid", "orders"]);
    assert((await authorize(lab, { scope: "openid orders" })).parameters.code);
    assertEquals((await authorize(lab, { scope: "read" })).parameters.error, "invalid_scope");
  });

  it("are any scope with anyScope, for demo clients, stored clients and services", async () => {
    await using lab = await hallpass({ anyScope: true, anyClient: true });
    const scope = "openid api://orders/.default custom";
    assertEquals((await client.tokens(lab, { scope })).scope, scope);
    const clientId = { client_id: "unknown", redirect_uri: "https://app.example/cb" };
    assert((await authorize(lab, { ...clientId, scope: "one" })).parameters.code);
    assert((await authorize(lab, { ...clientId, scope: "two" })).parameters.code);
    const asked = { grant_type: "client_credentials", scope: "orders:write" };
    assertEquals((await client.token(lab, asked, service)).body.scope, "orders:write");
    assertReport(lab, { leniencies: ["anyClient", "anyScope"] });
  });

  for (const where of ["lab", "tenant"]) {
    it(`K4: are any scope that a user allows before a request has named it: ${where}`, async () => {
      const options = { anyScope: true, clientDefaults: { partialConsent: true } };
      await using lab = await hallpass(options);
      const tested = where === "lab" ? lab : await lab.tenant(options);
      const url = authorizationUrl(tested, { scope: "openid new other" });
      tested.signIn("alice", { grant: ["new"], times: 1 });
      const response = await tested.fetch(url, { redirect: "manual" });
      const location = new URL(response.headers.get("Location") ?? "");
      const { code } = await tested.authorize(url, { user: "alice", grant: ["other"] });
      const scopes = await Promise.all(
        [location.searchParams.get("code"), code].map(async (each) =>
          (await client.redeem(tested, each ?? "")).body.scope
        ),
      );
      assertEquals(scopes, ["openid new", "openid other"]);
      assertThrows(() => lab.signIn("alice", { decision: "maybe" as "deny" }), LabError, "maybe");
    });
  }

  it("T28 U11: are any unconfigured scope at a refresh, and no configured one", async () => {
    await using lab = await hallpass({ anyScope: true });
    let { refresh_token } = await client.tokens(lab, { scope: "openid read" });
    const refresh = async (scope: string | undefined) => {
      const { body } = await client.refresh(lab, refresh_token, { scope });
      refresh_token = body.refresh_token ?? refresh_token;
      return body.scope ?? body.error;
    };
    assertEquals(await refresh("api://orders/.default"), "api://orders/.default");
    assertEquals(await refresh("read api://orders/.default"), "read api://orders/.default");
    assertEquals(await refresh(undefined), "openid read");
    assertEquals(await refresh("write"), "invalid_scope");
    assertEquals(await refresh("read"), "read");
  });

  it.inLab("T28 are only what was granted at a refresh without anyScope", async (lab) => {
    const { refresh_token } = await client.tokens(lab, { scope: "openid read" });
    const { body } = await client.refresh(lab, refresh_token, { scope: "api://orders/.default" });
    assertEquals(body.error, "invalid_scope");
  });

  it("are the lab's defaultScope for an unknown client whose request names none", async () => {
    await using lab = await hallpass({ anyClient: true, defaultScope: ["openid"] });
    const unknown = testClient({ client_id: "unknown", redirect_uri: "https://app.example/cb" });
    const { scope, id_token } = await unknown.tokens(lab, { scope: "" });
    assertEquals([scope, typeof id_token], ["openid", "string"]);
  });

  it("are any scope for a client that registered without a scope, and with anyScope", async () => {
    await using lab = await hallpass({ anyScope: true });
    const redirect_uri = "https://app.example/cb";
    const register = async (metadata: object) =>
      (await registerAt(lab, { redirect_uris: [redirect_uri], ...metadata })).body.client_id;
    const open = await register({});
    const limited = await register({ scope: "openid orders" });
    const scope = "openid custom";
    const request = { redirect_uri, scope };
    assert((await authorize(lab, { ...request, client_id: open })).parameters.code);
    const attempt = () => authorize(lab, { ...request, client_id: limited });
    await assertRejects(attempt, LabError, "Refused: invalid_scope");
    const own = { redirect_uri, client_id: limited, scope: "openid orders" };
    assert((await authorize(lab, own)).parameters.code);
  });

  it("stay limited for a client with scopes of its own, and after a reset", async () => {
    const clients = [{ id: "web", redirectUris: ["https://app.example/cb"], scopes: ["openid"] }];
    await using lab = await hallpass({ anyScope: true, clients });
    const request = { client_id: "web", redirect_uri: "https://app.example/cb" };
    const { parameters } = await authorize(lab, { ...request, scope: "openid custom" });
    assertEquals(parameters.error, "invalid_scope");
    await lab.reset();
    assertEquals((await client.metadata(lab)).scopes_supported.includes("custom"), false);
  });
});

describe("An unknown client that a test names before a request does", () => {
  it("K3: gets a token and a code, and stays a client of its requests", async () => {
    await using lab = await hallpass({ anyClient: true });
    const { access_token } = await lab.mint({ sub: "alice", client: "new", scope: "openid" });
    assertEquals(decodeJwt(access_token).client_id, "new");
    const own = { client_id: "newest", redirect_uri: "https://app.example/cb" };
    const { code, code_verifier = "" } = await lab.mint({
      ...{ kind: "code", user: "alice", client: own.client_id, redirectUri: own.redirect_uri },
    });
    const client_secret = "the-first-secret-that-it-sends";
    const { status } = await client.redeem(lab, code, { code_verifier, client_secret, ...own });
    assertEquals(status, 200);
    await using strict = await hallpass();
    await assertRejects(() => strict.mint({ sub: "alice", client: "new" }), LabError, "'new'");
  });
});

describe("An unknown client without a secret", () => {
  const type = (name: string) => `urn:ietf:params:oauth:grant-type:${name}`;
  const refusals: Array<[grantType: string, problem: RegExp]> = [
    ["client_credentials", /^A client must have credentials to use the client credentials grant/],
    [type("jwt-bearer"), /^A client must have credentials to use the JWT bearer grant/],
    [type("token-exchange"), /^The client must have a policy that allows it to exchange tokens/],
  ];
  for (const [grantType, problem] of refusals) {
    it(`cannot use a grant for clients that authenticate: ${grantType}`, async () => {
      await using lab = await hallpass({ anyClient: true });
      const { status, body } = await client.token(lab, {
        ...{ grant_type: grantType, client_id: "unknown", assertion: "x", subject_token: "x" },
        subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      });
      assertEquals([status, body.error], [400, "unauthorized_client"]);
      assertMatch(body.error_description, problem);
    });
  }
});

describe("PKCE of unknown clients", () => {
  const old = { client_id: "old", redirect_uri: "https://app.example/cb" };
  const noChallenge = { code_challenge: undefined, code_challenge_method: undefined };

  it.inLabForAnyone("is required", async (lab) => {
    const { parameters } = await authorize(lab, { ...old, ...noChallenge });
    assertEquals(parameters.error, "invalid_request");
  });

  for (const secret of [undefined, "a-secret"]) {
    const kind = secret === undefined ? "without" : "with";
    it(`is optional by a leniency, ${kind} a secret, which the report names`, async () => {
      await using lab = await hallpass({ anyClient: true, unknownClientPkce: "optional" });
      const code = await client.code(lab, { ...old, ...noChallenge });
      const fields = { ...old, client_secret: secret, code_verifier: undefined };
      assertEquals((await client.redeem(lab, code, fields)).status, 200);
      assertFindings(lab, ["challenge-missing"]);
      const leniencies = ["anyClient", "unknownClientPkce: optional"];
      assertReport(lab, { clean: true, leniencies });
    });
  }

  it("stays required for the clients of the configuration", async () => {
    await using lab = await hallpass({ anyClient: true, unknownClientPkce: "optional" });
    assertEquals((await authorize(lab, noChallenge)).parameters.error, "invalid_request");
  });

  it("cannot be optional under a profile", async () => {
    const config = { profile: "mcp", resources: ["https://a.example"] } as const;
    await assertRejects(
      () =>
        hallpass({ ...config, resources: [...config.resources], unknownClientPkce: "optional" }),
      ConfigError,
      "requires PKCE",
    );
  });
});

describe("anyClient, under a profile", () => {
  const profiles = [
    { profile: "fapi-2.0", alg: "PS256" },
    { profile: "mcp", resources: ["https://a.example"] },
  ] as const;
  const leniencies: HallpassOptions[] = [
    { anyClient: true },
    { anyScope: true },
    { anyGrant: { user: "alice", scopes: [] } },
    { redirectStatus: 302 },
    { responseTypes: ["id_token", "fragment"] },
  ];
  for (const profile of profiles) {
    for (const leniency of leniencies) {
      const [name = ""] = Object.keys(leniency);
      it(`is refused like every leniency: ${name} under ${profile.profile}`, async () => {
        const options = { ...profile, ...leniency } as HallpassOptions;
        const error = await assertRejects(() => hallpass(options), ConfigError);
        assertMatch(error.message, new RegExp(`${name} .*the profile ${profile.profile}`));
      });
    }
  }
});

const key = await makeClientKey("ES256");

describe("Assertions of unknown clients", () => {
  const clientId = "newcomer";
  const claims = { iss: clientId, sub: clientId, aud: "https://else.example", exp: 1 };

  async function authenticate(lab: TestLab, assertion: string) {
    const { body } = await client.token(lab, {
      grant_type: "client_credentials",
      client_assertion_type: clientAssertionType,
      client_assertion: assertion,
    });
    return body.error;
  }

  it("U11: are accepted by anyClient, each of them, if they are well-formed", async () => {
    await using lab = await hallpass({ anyClient: true });
    const other = await makeClientKey("ES256");
    assertEquals(await authenticate(lab, await key.sign(claims)), undefined);
    assertEquals(await authenticate(lab, await other.sign(claims)), undefined);
    const [request] = lab.requests({ path: "/oauth2/token" });
    assertEquals(request?.client, clientId);
  });

  const malformed: Array<[what: string, changes: Record<string, unknown>]> = [
    ["another subject", { sub: "web" }],
    ["another issuer", { iss: "web" }],
    ["no audience", { aud: undefined }],
    ["no expiry", { exp: undefined }],
  ];
  for (const [what, changes] of malformed) {
    it.inLabForAnyone(`T11 are refused with ${what}, even with anyClient`, async (lab) => {
      const assertion = await key.sign({ ...claims, ...changes });
      assertEquals(await authenticate(lab, assertion), "invalid_client");
    });
  }

  it("T11 are refused without a signature, or as no JWT, even with anyClient", async () => {
    await using lab = await hallpass({ anyClient: true });
    for (const assertion of [new UnsecuredJWT(claims).encode(), "an-assertion", "a.b.c"]) {
      assertEquals(await authenticate(lab, assertion), "invalid_client");
    }
  });

  it("T11 are verified for a client that the lab knows, or that has a secret", async () => {
    await using lab = await hallpass({ anyClient: true });
    const forged = (id: string) => key.sign({ ...claims, iss: id, sub: id });
    assertEquals(await authenticate(lab, await forged("demo-jwt")), "invalid_client");
    const other = testClient({ client_id: "with-secret", client_secret: "a-secret" });
    assertEquals((await other.token(lab, { grant_type: "client_credentials" })).status, 200);
    assertEquals(await authenticate(lab, await forged("with-secret")), "invalid_client");
  });

  it.inLabForAnyone("T10 are required of a client once it has sent one", async (lab) => {
    assertEquals(await authenticate(lab, await key.sign(claims)), undefined);
    for (const secret of [{}, { client_secret: "a-secret" }]) {
      const fields = { grant_type: "client_credentials", client_id: clientId, ...secret };
      assertEquals((await client.token(lab, fields)).status, 401);
    }
  });

  it.inLab("T11 are refused without anyClient", async (lab) => {
    assertEquals(await authenticate(lab, await key.sign(claims)), "invalid_client");
  });
});

describe("The status of authorization responses", () => {
  const statusOf = async (lab: TestLab, changes: Fields) =>
    (await lab.fetch(client.authorizationUrl(lab, changes), { redirect: "manual" })).status;
  const statusesOf = async (lab: TestLab) => [
    await statusOf(lab, {}),
    await statusOf(lab, { response_mode: "jwt" }),
  ];

  it("B20 is 303", async () => {
    await using lab = await hallpass({ signIn: "alice" });
    assertEquals(await statusesOf(lab), [303, 303]);
    assertReport(lab, { leniencies: [] });
  });

  it("is 302 by a leniency, also of errors and signed responses", async () => {
    await using lab = await hallpass({ signIn: "alice", redirectStatus: 302 });
    assertEquals(await statusesOf(lab), [302, 302]);
    assertReport(lab, { leniencies: ["redirectStatus: 302"] });
    lab.signIn(false);
    assertEquals(await statusOf(lab, { prompt: "none" }), 302);
  });

  it("stays 303 for the redirect to a page of the lab", async () => {
    await using lab = await hallpass({ redirectStatus: 302 });
    assertEquals(await statusesOf(lab), [303, 303]);
  });

  for (const redirectStatus of [301, 304, 307, 308, "302", 302.5]) {
    it(`cannot be ${JSON.stringify(redirectStatus)}`, async () => {
      const attempt = () => hallpass({ redirectStatus: redirectStatus as number });
      await assertRejects(attempt, ConfigError, "redirectStatus must be");
    });
  }
});

describe("Response types of a lab", () => {
  const noChallenge = { code_challenge: undefined, code_challenge_method: undefined };

  it.inLab("are code alone, and the metadata says so", async (lab) => {
    for (const response_type of ["id_token", "code id_token", "token", "id_token token"]) {
      const { parameters } = await authorize(lab, { response_type, response_mode: "form_post" });
      assertEquals(parameters.error, "unsupported_response_type");
    }
    assertEquals((await client.metadata(lab)).response_types_supported, ["code"]);
  });

  it.withResponseTypes("are advertised while they are on", async (lab) => {
    for (const name of ["openid-configuration", "oauth-authorization-server"]) {
      const metadata = await (await lab.fetch(`${lab.issuer}/.well-known/${name}`)).json();
      assertEquals(metadata.response_types_supported, responseTypes);
    }
  });

  it.withResponseTypes("id_token: sends an ID token with the nonce by form_post, without PKCE and a code", async (lab) => {
    const { parameters, nonce } = await authorize(lab, {
      response_type: "id_token",
      response_mode: "form_post",
      ...noChallenge,
    });
    assertEquals(Object.keys(parameters).sort(), ["id_token", "iss", "state"]);
    const claims = decodeJwt(parameters.id_token ?? "");
    assertEquals([claims.sub, claims.aud, claims.nonce], ["alice", "demo-spa", nonce]);
    assertEquals([claims.at_hash, claims.c_hash], [undefined, undefined]);
    assertFindings(lab, ["front-channel-id-token"]);
    assertReport(lab, {
      clean: true,
      leniencies: ["responseTypes: id_token", "responseTypes: code id_token"],
    });
  });

  for (const response_type of ["code id_token", "id_token code"]) {
    it(`A10 ${response_type}: sends both, bound by c_hash; the code is redeemed once`, async () => {
      await using lab = await hallpass({ responseTypes });
      const { parameters, nonce } = await authorize(lab, {
        response_type,
        response_mode: "form_post",
      });
      const { code = "", id_token = "" } = parameters;
      const hash = new Uint8Array(
        await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code)),
      );
      const expected = btoa(String.fromCharCode(...hash.slice(0, 16)))
        .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
      const claims = decodeJwt(id_token);
      assertEquals([claims.c_hash, claims.nonce, claims.at_hash], [expected, nonce, undefined]);
      const { body } = await client.redeem(lab, code);
      assertEquals(decodeJwt(body.id_token).sub, claims.sub);
    });
  }

  const refused: Array<[what: string, changes: Record<string, string | undefined>, RegExp]> = [
    ["by query", { response_mode: "query" }, /form_post/],
    ["without a response_mode", {}, /form_post/],
    ["without a nonce", { response_mode: "form_post", nonce: undefined }, /nonce/],
    ["without openid", { response_mode: "form_post", scope: "read" }, /openid/],
  ];
  for (const [what, changes, message] of refused) {
    it.withResponseTypes(`are refused ${what}`, async (lab) => {
      const request = { response_type: "id_token", ...changes };
      const { parameters } = await authorize(lab, request);
      assertEquals([parameters.error, parameters.id_token], ["invalid_request", undefined]);
      assertMatch(parameters.error_description ?? "", message);
    });
  }

  for (const response_type of ["token", "id_token token", "code token", "code id_token token"]) {
    it.withResponseTypes(`A09 never issue an access token: ${response_type}`, async (lab) => {
      const { parameters } = await authorize(lab, { response_type, response_mode: "form_post" });
      assertEquals(parameters.error, "unsupported_response_type");
      await assertRejects(
        () => hallpass({ responseTypes: [response_type] as never }),
        ConfigError,
        "responseTypes[0] must be one of: code, id_token, code id_token",
      );
    });
  }

  it("are refused in a signed request object, which the lab cannot change", async () => {
    const key = await makeClientKey("ES256");
    const redirectUris = ["https://app.example/cb"];
    const app = { id: "app", jwks: { keys: [key.publicJwk] }, redirectUris };
    await using lab = await hallpass({
      responseTypes,
      clients: [{ ...app, authentication: ["none"] }],
    });
    const now = Math.floor(Date.now() / 1000);
    const plain = {
      client_id: "app",
      response_type: "id_token",
      redirect_uri: redirectUris[0] ?? "",
    };
    const request = await key.sign({
      ...plain,
      ...{ response_mode: "form_post", scope: "openid", nonce: "n" },
      ...{ iss: "app", aud: lab.issuer, nbf: now, iat: now, exp: now + 300 },
    });
    const signed = { ...plain, scope: "openid", request };
    const body = new URLSearchParams(signed);
    const { parameters } = await lab.authorize(`${lab.issuer}/oauth2/authorize?${body}`);
    assertEquals(parameters.error, "unsupported_response_type");
    assertMatch(parameters.error_description ?? "", /not if it is in a signed request object/);
    const pushed = await client.sendForm(lab, "/oauth2/par", signed);
    assertMatch(pushed.body.error_description, /not if it is in a signed request object/);
  });

  for (const response_mode of ["fragment", undefined]) {
    it(`are sent in the fragment by a leniency, with the response_mode ${response_mode}`, async () => {
      await using lab = await hallpass({ responseTypes: [...responseTypes, "fragment"] });
      const response_type = "code id_token";
      const request = { response_type, response_mode };
      const { parameters, callback, nonce } = await authorize(lab, request);
      assertEquals(decodeJwt(parameters.id_token ?? "").nonce, nonce);
      assertEquals((await client.redeem(lab, parameters.code ?? "")).status, 200);
      assertMatch(callback, /\/authorized#/);
      assertEquals((await client.metadata(lab)).response_types_supported, responseTypes);
      assertLeniency(lab, "responseTypes: fragment");
      const query = await authorize(lab, { response_type, response_mode: "query" });
      assertMatch(query.parameters.error_description ?? "", /'form_post' or 'fragment' only/);
    });
  }

  it("are refused with fragment alone, which needs an ID token", async () => {
    await assertRejects(
      () => hallpass({ responseTypes: ["code", "fragment"] }),
      ConfigError,
      "contains 'fragment', which needs 'id_token' or 'code id_token'",
    );
  });

  it.withResponseTypes("keep PKCE for a code", async (lab) => {
    const request = { response_type: "code id_token", response_mode: "form_post" };
    const { parameters } = await authorize(lab, { ...request, ...noChallenge });
    assertMatch(parameters.error_description ?? "", /PKCE is required/);
  });

  it("work with hands-free sign-in and with pushed requests", async () => {
    await using lab = await hallpass({ responseTypes, signIn: "bob" });
    const fields = {
      response_type: "id_token",
      client_id: "demo-spa",
      redirect_uri: `${lab.issuer}/authorized`,
      scope: "openid",
      nonce: "n1",
      response_mode: "form_post",
    };
    const { request_uri } = (await client.sendForm(lab, "/oauth2/par", fields)).body;
    const query = new URLSearchParams({ client_id: "demo-spa", request_uri });
    const { parameters } = await lab.authorize(`${lab.issuer}/oauth2/authorize?${query}`);
    assertEquals(decodeJwt(parameters.id_token ?? "").sub, "bob");
  });

  it.withResponseTypes("U2: leave a client without redirect URIs as it registered", async (lab) => {
    const metadata = { grant_types: [deviceCodeGrantType], response_types: [] };
    const { status, body: { grant_types, response_types } } = await registerAt(lab, metadata);
    assertEquals([status, { grant_types, response_types }], [201, metadata]);
  });

  it("can be registered by a client, which then gets an ID token", async () => {
    await using lab = await hallpass({ responseTypes });
    const redirect_uri = "https://app.example/cb";
    const { client_id } = (await registerAt(lab, {
      redirect_uris: [redirect_uri],
      response_types: ["id_token"],
      grant_types: ["implicit"],
    })).body;
    const { parameters } = await authorize(lab, {
      client_id,
      redirect_uri,
      response_type: "id_token",
      response_mode: "form_post",
      ...noChallenge,
    });
    assertEquals(decodeJwt(parameters.id_token ?? "").aud, client_id);
  });
});
