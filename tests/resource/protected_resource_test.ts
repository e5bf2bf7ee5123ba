import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { SignJWT } from "jose";
import { describe } from "node:test";
import {
  type AccessRequirements,
  type FetchFailure,
  protectedResource,
  type ProtectedResourceConfig,
  type VerifiedAccess,
} from "../../src/resource/protected_resource.ts";
import { makeProof, type ProofChanges, proofKey } from "../support/dpop.ts";
import {
  claimsOf,
  type Fields,
  type FlowKit,
  read,
  type ReadResponse,
  service,
  startOfTime,
} from "../support/flow_kit.ts";
import { itWith } from "../support/it_with.ts";
import { makeKeyPair } from "../support/key_pairs.ts";
import { present } from "../support/present.ts";
import { openPublicLab } from "../support/public_kit.ts";

const it = itWith({
  withKit: () => openPublicLab(),
  withApi: async () => openApi(await openPublicLab()),
});

const resource = "https://api.test/v1";
const metadataOf = 'resource_metadata="https://api.test/.well-known/oauth-protected-resource/v1"';

/** Opens an API in front of a lab, in one process. */
function openApi(kit: FlowKit, config: Partial<ProtectedResourceConfig> = {}) {
  const fetched: string[] = [];
  const failures: FetchFailure[] = [];
  const api = protectedResource({
    resource,
    authorizationServers: [kit.issuer],
    now: () => kit.clock.now,
    fetch: (url, { signal: _, ...init }) => {
      fetched.push(url);
      return kit.server.fetch(new Request(url, init));
    },
    onFailure: (failure) => failures.push(failure),
    ...config,
  });
  const call = async (
    headers: Record<string, string> = {},
    requirements?: AccessRequirements,
    path = "/v1/things",
  ) => {
    const request = new Request(`https://api.test${path}`, { headers });
    const access = await api.require(request, requirements);
    if (!(access instanceof Response)) return { access, ...await read(new Response()) };
    return await read(access);
  };
  const use = (token: string, requirements?: AccessRequirements) =>
    call(bearer(token), requirements);
  return { kit, api, call, use, fetched, failures };
}

async function tokenFor(kit: FlowKit, changes: Fields = {}): Promise<string> {
  const code = await kit.code({ scope: "read", resource, ...changes });
  return (await kit.redeem(code)).body.access_token;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const refusalOf = ({ status, body }: ReadResponse) => [status, body.error];
const challengeOf = ({ headers }: ReadResponse) => headers.get("WWW-Authenticate") ?? "";

describe("An API's access check", () => {
  it.withApi("returns what the token allows, and to whom", async ({ kit, use }) => {
    const { access } = await use(await tokenFor(kit), { scope: ["read"] }) as {
      access: VerifiedAccess;
    };
    assertEquals([access.subject, access.clientId, access.scope], ["alice", "demo-spa", ["read"]]);
  });

  it.withApi("fetches the keys once for many requests", async ({ kit, use, fetched }) => {
    const token = await tokenFor(kit);
    await Promise.all([use(token), use(token), use(token)]);
    assertEquals(fetched, [
      `${kit.issuer}/.well-known/oauth-authorization-server`,
      `${kit.issuer}/oauth2/jwks`,
    ]);
  });

  it("falls back to OpenID Connect Discovery, for an issuer with a path", async () => {
    const kit = await openPublicLab({ issuer: "https://hallpass.test/tenant" });
    const { use } = openApi(kit, {
      fetch: async (url, { signal: _, ...init }) =>
        url.includes("oauth-authorization-server")
          ? new Response(null, { status: 404 })
          : await kit.server.fetch(new Request(url, init)),
    });
    assertEquals((await use(await tokenFor(kit))).status, 200);
  });

  const spellings: Array<[requested: string, api: string, status: number]> = [
    ["https://api.test/", "https://api.test", 200],
    ["https://api.test", "https://api.test/", 200],
    ["https://api.test/v1/", "https://api.test/v1", 401],
    ["https://api.test.example/", "https://api.test", 401],
    ["https://api.test/?", "https://api.test", 401],
  ];
  for (const [requested, of, status] of spellings) {
    it(`responds with ${status} to a token for ${requested}, as ${of} (RFC 3986, 6.2.3)`, async () => {
      const kit = await openPublicLab();
      const token = await tokenFor(kit, { resource: requested });
      assertEquals((await openApi(kit, { resource: of }).use(token)).status, status);
    });
  }

  it.withApi("R02 reads the scheme in any case", async ({ kit, call }) => {
    const { status } = await call({ Authorization: `bEARER ${await tokenFor(kit)}` });
    assertEquals(status, 200);
  });

  it("R03 names its metadata, and no error, if the request has no token", async () => {
    const response = await openApi(await openPublicLab()).call({}, { scope: ["read"] });
    assertEquals([response.status, response.text], [401, ""]);
    assertMatch(
      challengeOf(response),
      new RegExp(`^Bearer realm="${resource}", scope="read", ${metadataOf}, DPoP .*algs="ES256 `),
    );
    assert(!challengeOf(response).includes("error"));
  });

  it.withApi("R03 names no scope if it needs none", async ({ call }) => {
    for (const requirements of [undefined, {}, { scope: [] }]) {
      const challenge = challengeOf(await call({}, requirements));
      assertMatch(challenge, /^Bearer /);
      assert(!challenge.includes("scope="), challenge);
    }
  });

  it.withApi("R01 ignores a token in the query", async ({ kit, call }) => {
    const path = `/v1/things?access_token=${await tokenFor(kit)}`;
    const { status, text } = await call({}, {}, path);
    assertEquals([status, text], [401, ""]);
  });

  it.withApi("R03 refuses two tokens", async ({ kit, call }) => {
    const token = await tokenFor(kit);
    const response = await call({ Authorization: `Bearer ${token}, Bearer ${token}` });
    assertEquals(refusalOf(response), [400, "invalid_request"]);
    assertMatch(challengeOf(response), /^Bearer .*error="invalid_request"/);
  });

  it.withApi("R03 names the missing scope", async ({ kit, use }) => {
    const response = await use(await tokenFor(kit), { scope: ["read", "write"] });
    assertEquals(refusalOf(response), [403, "insufficient_scope"]);
    assertMatch(challengeOf(response), /^Bearer .*scope="read write".*error="insufficient_scope"/);
  });

  const refused: Record<string, (kit: FlowKit) => string | Promise<string>> = {
    "a text that is not a token": () => "x",
    "a token for another resource": (kit) => tokenFor(kit, { resource: "https://other.test" }),
    "a token for another path of the same host": (kit) =>
      tokenFor(kit, { resource: "https://api.test/v" }),
    "a token for no resource": (kit) => tokenFor(kit, { resource: undefined }),
    "an ID token": async (kit) => (await kit.tokens()).id_token,
    "a refresh token": async (kit) => (await kit.tokens()).refresh_token,
    "an expired token": async (kit) => {
      const token = await tokenFor(kit);
      kit.clock.advance(3611);
      return token;
    },
    "a token without its signature": async (kit) => (await tokenFor(kit)).replace(/[^.]*$/, ""),
    "a token with a different signature": async (kit) =>
      (await tokenFor(kit)).replace(/.{4}$/, (end) => end === "AAAA" ? "BBBB" : "AAAA"),
    "a token of another issuer with the same keys": async ({ clock }) =>
      await tokenFor(await openPublicLab({ issuer: "https://evil.test", now: () => clock.now })),
    "a token with alg none": async (kit) => {
      const [, claims] = (await tokenFor(kit)).split(".");
      return `${btoa('{"alg":"none","typ":"at+jwt"}').replace(/=+$/, "")}.${claims}.`;
    },
  };
  for (const [what, make] of Object.entries(refused)) {
    it.withApi(`refuses ${what}`, async ({ kit, use }) => {
      const response = await use(await make(kit));
      assertEquals(refusalOf(response), [401, "invalid_token"]);
      const challenge = new RegExp(`^Bearer .*${metadataOf}.*error="invalid_token"`);
      assertMatch(challengeOf(response), challenge);
    });
  }
});

describe("An API's check of the sign-in (RFC 9470)", () => {
  const tooWeak = "insufficient_user_authentication";

  it.withApi("requests a new sign-in if the last one is too old", async ({ kit, use }) => {
    const token = await tokenFor(kit);
    kit.clock.advance(301);
    const response = await use(token, { maxAge: 300 });
    assertEquals(refusalOf(response), [401, tooWeak]);
    assertMatch(challengeOf(response), new RegExp(`^Bearer .*max_age="300".*error="${tooWeak}"`));
    assertEquals((await use(token, { maxAge: 301 })).status, 200);
  });

  it.withApi("treats a token without a sign-in as too old", async ({ kit, use }) => {
    const { body } = await kit.token({ grant_type: "client_credentials", resource }, service);
    assertEquals(refusalOf(await use(body.access_token, { maxAge: 3600 })), [401, tooWeak]);
  });

  it.withApi("requests one of the acr values", async ({ kit, use }) => {
    const response = await use(await tokenFor(kit), { acrValues: ["urn:phr", "urn:phrh"] });
    assertEquals(refusalOf(response), [401, tooWeak]);
    assertMatch(challengeOf(response), /acr_values="urn:phr urn:phrh"/);
  });

  it.withApi("accepts any of several acr values", async ({ kit, use }) => {
    const token = await tokenFor(kit);
    const { acr = "" } = claimsOf<{ acr?: string }>(token);
    assert(acr !== "");
    for (const acrValues of [[acr], [acr, "urn:phr"], ["urn:phr", acr]]) {
      assertEquals((await use(token, { acrValues })).status, 200);
    }
  });
});

describe("An API's check of DPoP (RFC 9449, section 7)", () => {
  async function boundToken(kit: FlowKit): Promise<string> {
    const endpoint = `${kit.issuer}/oauth2/token`;
    const DPoP = await makeProof(await proofKey(), "POST", endpoint, { now: kit.clock.now });
    const code = await kit.code({ scope: "read", resource });
    return (await kit.redeem(code, {}, { DPoP })).body.access_token;
  }

  async function proven(token: string, changes: ProofChanges = {}, name = "ES256") {
    const signed = { token, ...changes };
    const DPoP = await makeProof(await proofKey(name), "GET", `${resource}/things`, signed);
    return { Authorization: `DPoP ${token}`, DPoP };
  }

  it.withApi("accepts a bound token with its proof, whatever the query", async ({ kit, call }) => {
    const headers = await proven(await boundToken(kit));
    assertEquals((await call(headers, {}, "/v1/things?a=b")).status, 200);
  });

  it("CVE-2024-49755: refuses a bound token as a bearer token", async () => {
    const { kit, call } = openApi(await openPublicLab());
    const token = await boundToken(kit);
    const response = await call({ ...await proven(token), ...bearer(token) });
    assertEquals(refusalOf(response), [401, "invalid_token"]);
  });

  it("CVE-2024-49755: refuses a bound token without a proof", async () => {
    const { kit, call } = openApi(await openPublicLab());
    const response = await call({ Authorization: `DPoP ${await boundToken(kit)}` });
    assertEquals(refusalOf(response), [401, "invalid_dpop_proof"]);
    assertMatch(challengeOf(response), /DPoP .*algs="ES256[^"]*", error="invalid_dpop_proof"/);
  });

  it.withApi("refuses an unbound token under DPoP", async ({ kit, call }) => {
    const response = await call(await proven(await tokenFor(kit)));
    assertEquals(refusalOf(response), [401, "invalid_token"]);
  });

  const refused: Array<[what: string, changes: ProofChanges, key?: string]> = [
    ["a different key", {}, "ES256 another"],
    ["a different method", { claims: { htm: "POST" } }],
    ["a different path", { claims: { htu: resource } }],
    ["a different token", { token: "another" }],
    ["a different time", { now: startOfTime - 3_600_000 }],
  ];
  for (const [what, changes, key] of refused) {
    it.withApi(`refuses a proof of ${what}`, async ({ kit, call }) => {
      const response = await call(await proven(await boundToken(kit), changes, key));
      assertEquals(refusalOf(response), [401, "invalid_dpop_proof"]);
    });
  }

  it.withApi("accepts a proof once", async ({ kit, call }) => {
    const headers = await proven(await boundToken(kit));
    assertEquals([(await call(headers)).status, (await call(headers)).status], [200, 401]);
  });

  it.withApi("uses the origin of the resource, whatever the URL is", async ({ kit, api }) => {
    const headers = await proven(await boundToken(kit));
    const request = new Request("http://10.0.0.7:8080/v1/things", { headers });
    assert(!(await api.require(request) instanceof Response));
  });

  it.withKit("lets the API record the proofs", async (kit) => {
    const noted: number[] = [];
    const { call } = openApi(kit, { noteProof: (_, until) => (noted.push(until), false) });
    const { body } = await call(await proven(await boundToken(kit)));
    assertEquals([body.error, noted], ["invalid_dpop_proof", [startOfTime + 61_000]]);
  });

  it.withKit("leaves it to the API when that fails to record a proof", async (kit) => {
    const { call } = openApi(kit, { noteProof: () => Promise.reject(new Error("disk full")) });
    const headers = await proven(await boundToken(kit));
    await assertRejects(() => call(headers), Error, "disk full");
  });

  it.withKit("uses the URL that the API provides as urlOf", async (kit) => {
    const { call } = openApi(kit, { urlOf: () => `${resource}/things` });
    const headers = await proven(await boundToken(kit));
    assertEquals((await call(headers, {}, "/behind/a/proxy")).status, 200);
  });

  it.withKit("can be required", async (kit) => {
    const { api, call, use } = openApi(kit, { dpop: "required" });
    const response = await use(await tokenFor(kit));
    assertEquals(refusalOf(response), [401, "invalid_token"]);
    assertEquals(api.metadata.dpop_bound_access_tokens_required, true);
    assertMatch(challengeOf(response), /^DPoP [^B]*error="invalid_token"/);
    assertEquals((await call(await proven(await boundToken(kit)))).status, 200);
  });
});

describe("An API that introspects tokens (RFC 7662)", () => {
  const asking = (kit: FlowKit) => ({
    authorizationServers: [{
      issuer: kit.issuer,
      introspection: { clientId: "demo-service", clientSecret: "demo-service-secret" },
    }],
  });
  const opaque = {
    clients: [
      {
        id: "demo-spa",
        redirectUris: ["https://hallpass.test/authorized"],
        accessTokenFormat: "opaque" as const,
      },
      { id: "demo-service", secret: "demo-service-secret", introspect: "any" as const },
    ],
    scopes: { openid: "openid", profile: "profile", read: "read" },
  };

  it("accepts opaque tokens", async () => {
    const kit = await openPublicLab(opaque);
    const token = await tokenFor(kit);
    assert(!token.includes("."));
    assertEquals((await openApi(kit, asking(kit)).use(token, { scope: ["read"] })).status, 200);
    assertEquals((await openApi(kit).use(token)).status, 401);
  });

  it.withKit("notices a revocation at once", async (kit) => {
    const { use } = openApi(kit, asking(kit));
    const token = await tokenFor(kit);
    assertEquals((await use(token)).status, 200);
    await kit.post("/oauth2/revoke", { token, client_id: "demo-spa" });
    assertEquals((await use(token)).body.error, "invalid_token");
  });

  const refused: Record<string, (kit: FlowKit) => Promise<string>> = {
    "a token for another resource": (kit) => tokenFor(kit, { resource: "https://other.test" }),
    "a token for no resource": (kit) => tokenFor(kit, { resource: undefined }),
    "a refresh token although it is active": async (kit) => (await kit.tokens()).refresh_token,
  };
  for (const [what, make] of Object.entries(refused)) {
    it(`refuses ${what}`, async () => {
      const kit = await openPublicLab(opaque);
      const { body } = await openApi(kit, asking(kit)).use(await make(kit));
      assertEquals(body.error, "invalid_token");
    });
  }
});

describe("An API and the introspection response", () => {
  const iat = startOfTime / 1000;
  const token = { iss: "https://opaque.test", aud: resource, sub: "a", client_id: "c" };
  const said = { active: true, ...token, exp: iat + 60 };

  async function ask(changes: object): Promise<number> {
    const endpoint = "https://opaque.test/introspect";
    const introspection = { clientId: "c", clientSecret: "s", endpoint };
    const api = protectedResource({
      resource,
      authorizationServers: [{ issuer: "https://opaque.test", introspection }],
      now: () => startOfTime,
      fetch: async () => Response.json({ ...said, ...changes }),
    });
    const access = await api.require(new Request(resource, { headers: bearer("a-token") }));
    return access instanceof Response ? access.status : 200;
  }

  it("accepts an active token of its server for itself", async () => {
    assertEquals(await ask({}), 200);
    assertEquals(await ask({ iss: undefined, exp: undefined, aud: ["x", resource] }), 200);
  });

  it("T2: accepts a token whose 'nbf' is no further ahead than clocks may be apart", async () => {
    assertEquals(await ask({ nbf: iat + 10 }), 200);
  });

  const refused = [
    { active: false },
    { active: "true" },
    { iss: "https://evil.test" },
    { exp: iat },
    { nbf: iat + 11 },
    { nbf: "soon" },
    { aud: undefined },
    { aud: 7 },
    { aud: "x" },
  ];
  for (const changes of refused) {
    it(`refuses a token with ${JSON.stringify(changes)}`, async () =>
      assertEquals(await ask(changes), 401));
  }
});

describe("An API and the keys of its server", () => {
  const issuer = "https://keys.test";

  const claims = { iss: issuer, aud: resource, sub: "a", client_id: "c", jti: "j" };
  const iat = startOfTime / 1000;

  /** Creates an authorization server that only has a key set, with one key that an API fetched. */
  async function openKeys(alg = "ES256") {
    const one = await makeKey("1", alg);
    const state = { keys: [one.jwk], fetches: 0, fails: false, now: startOfTime };
    const api = protectedResource({
      resource,
      authorizationServers: [{ issuer, jwksUri: `${issuer}/jwks` }],
      now: () => state.now,
      fetch: async () => {
        state.fetches++;
        return state.fails ? new Response(null, { status: 500 }) : Response.json(state);
      },
    });
    const use = async (token: string) => {
      const request = new Request(`${resource}/things`, { headers: bearer(token) });
      const access = await api.require(request);
      return access instanceof Response ? access.status : 200;
    };
    assertEquals(await use(await one.sign()), 200);
    return { state, use, one };
  }

  async function makeKey(kid: string, alg = "ES256") {
    const { privateKey, publicJwk } = await makeKeyPair(alg);
    const sign = (changes: object = {}, header: object = {}) =>
      new SignJWT({ ...claims, iat, exp: iat + 86_400, ...changes })
        .setProtectedHeader({ alg, kid, typ: "at+jwt", ...header }).sign(privateKey);
    return { jwk: { ...publicJwk, kid, alg }, sign };
  }

  it("fetches them again for an unknown key, at most every 30 seconds", async () => {
    const { state, use } = await openKeys();
    const two = await makeKey("2");
    state.keys.push(two.jwk);
    for (let times = 0; times < 5; times++) assertEquals(await use(await two.sign()), 401);
    assertEquals(state.fetches, 1);
    state.now += 30_000;
    assertEquals([await use(await two.sign()), state.fetches], [200, 2]);
  });

  it("does not fetch them again for a token that is invalid for another reason", async () => {
    const { state, use, one } = await openKeys();
    const two = await makeKey("1");
    state.now += 60_000;
    const ofAnother = [await two.sign(), await one.sign({ iss: "https://other.test" })];
    for (const token of [await one.sign({ exp: iat - 60 }), ...ofAnother]) {
      assertEquals([await use(token), state.fetches], [401, 1]);
    }
  });

  it("forgets a removed key within ten minutes", async () => {
    const { state, use, one } = await openKeys();
    state.keys = [];
    state.now += 600_000;
    assertEquals(await use(await one.sign()), 401);
  });

  it("works for an hour without its server, and no longer", async () => {
    const { state, use, one } = await openKeys();
    state.fails = true;
    state.now += 3_599_000;
    assertEquals(await use(await one.sign()), 200);
    state.now += 31_000;
    assertEquals(await use(await one.sign()), 503);
    state.fails = false;
    state.now += 5_000;
    assertEquals(await use(await one.sign()), 200);
  });

  const refused: Array<[what: string, claims: object, header?: object]> = [
    ["of a different type", {}, { typ: "JWT" }],
    ["without a type", {}, { typ: undefined }],
    ["without an expiry", { exp: undefined }],
    ["without a subject", { sub: undefined }],
    ["without a client", { client_id: undefined }],
    ["that is not valid yet", { nbf: iat + 60 }],
    ["that is bound by another method", { cnf: { kid: "x" } }],
    ["that is bound to a certificate, which the API does not get", { cnf: { "x5t#S256": "x" } }],
    ["whose certificate is no text", { cnf: { "x5t#S256": 7 } }],
    ["whose second key is no text", { cnf: { "x5t#S256": "x", jkt: 7 } }],
    ["that is bound to a list", { cnf: ["x"] }],
    ["that is bound to nothing", { cnf: null }],
  ];
  for (const [what, claims, header] of refused) {
    it(`refuses a token ${what} (RFC 9068, section 4)`, async () => {
      const { use, one } = await openKeys();
      assertEquals(await use(await one.sign(claims, header)), 401);
    });
  }

  it("accepts the type in its long form, and in upper case", async () => {
    const { use, one } = await openKeys();
    for (const typ of ["application/at+jwt", "AT+JWT"]) {
      assertEquals(await use(await one.sign({}, { typ })), 200);
    }
  });

  it("refuses a token that is signed with a public key as a shared secret", async () => {
    const { use, one } = await openKeys("RS256");
    const secret = new TextEncoder().encode(JSON.stringify(one.jwk));
    const token = await new SignJWT({ ...claims, iat: 1, exp: 9e9 })
      .setProtectedHeader({ alg: "HS256", kid: "1", typ: "at+jwt" }).sign(secret);
    assertEquals(await use(token), 401);
  });
});

describe("An API whose server fails", () => {
  const answers: Record<string, () => Promise<Response>> = {
    "a network error": () => Promise.reject(new Error("connection refused")),
    "an error": async () => new Response(null, { status: 500 }),
    "a page": async () => new Response("<html>"),
    "null": async () => new Response("null"),
    "a redirect": async () =>
      new Response(null, { status: 302, headers: { Location: "https://evil.test" } }),
    "the metadata of another issuer": async () =>
      Response.json({ issuer: "https://evil.test", jwks_uri: "https://evil.test/jwks" }),
    "metadata without keys": async () => Response.json({ issuer: "https://hallpass.test" }),
    "invalid keys": async () =>
      Response.json({
        issuer: "https://hallpass.test",
        jwks_uri: "https://hallpass.test",
        keys: 7,
      }),
    "an oversized response": async () => new Response("x".repeat(300_000)),
  };
  for (const [what, fetch] of Object.entries(answers)) {
    it.withKit(`responds with 503 after ${what}, and reports the failure`, async (kit) => {
      const { use, failures } = openApi(kit, { fetch });
      const response = await use(await tokenFor(kit));
      assertEquals(refusalOf(response), [503, "temporarily_unavailable"]);
      assertEquals([response.headers.get("Retry-After"), failures.length > 0], ["5", true]);
    });
  }

  it.withKit("refuses metadata with a different issuer (RFC 8414, section 3.3)", async (kit) => {
    const metadata = { issuer: "https://evil.test", jwks_uri: `${kit.issuer}/oauth2/jwks` };
    const { use, failures } = openApi(kit, {
      fetch: async (url, { signal: _, ...init }) =>
        url.includes(".well-known")
          ? Response.json(metadata)
          : await kit.server.fetch(new Request(url, init)),
    });
    assertEquals((await use(await tokenFor(kit))).status, 503);
    assertMatch(failures[0]?.reason ?? "", /the 'issuer' of the metadata is not/);
  });

  it.withKit("names a URL that the metadata lacks", async (kit) => {
    const fetch = async () => Response.json({ issuer: kit.issuer });
    const { use, failures } = openApi(kit, { fetch });
    assertEquals((await use(await tokenFor(kit))).status, 503);
    assertMatch(failures[0]?.reason ?? "", /the metadata has no 'jwks_uri'/);
  });

  it.withApi("fetches nothing for a token of another server", async ({ use, fetched }) => {
    await use("x");
    await use(await tokenFor(await openPublicLab({ issuer: "https://evil.test" })));
    assertEquals(fetched, []);
  });
});

describe("The metadata of an API (RFC 9728)", () => {
  const wellKnown = "https://api.test/.well-known/oauth-protected-resource";

  it.withKit("names the authorization servers and the scopes", async (kit) => {
    const documentation = "https://api.test/docs";
    const { api } = openApi(kit, { scopes: ["read"], name: "Things", documentation });
    const response = present(api.handle(new Request(`${wellKnown}/v1`)));
    const names = ["Content-Type", "Access-Control-Allow-Origin"];
    assertEquals(names.map((name) => response.headers.get(name)), ["application/json", "*"]);
    assertEquals(await response.json(), {
      resource,
      authorization_servers: ["https://hallpass.test"],
      bearer_methods_supported: ["header"],
      scopes_supported: ["read"],
      resource_name: "Things",
      resource_documentation: documentation,
      dpop_signing_alg_values_supported: ["ES256", "PS256", "EdDSA", "Ed25519", "RS256"],
      dpop_bound_access_tokens_required: false,
    });
  });

  it.withApi("leaves out what the API does not say", ({ api }) => {
    const optional = ["scopes_supported", "resource_name", "resource_documentation"];
    assertEquals(optional.filter((name) => name in api.metadata), []);
  });

  const places: Array<[of: string, at: string]> = [
    ["https://api.test", wellKnown],
    ["https://api.test/", wellKnown],
    ["https://api.test/mcp", `${wellKnown}/mcp`],
    ["https://api.test/mcp/", `${wellKnown}/mcp/`],
  ];
  for (const [of, at] of places) {
    it.withKit(`of ${of} is at ${at}, which the challenge names`, async (kit) => {
      const { api } = openApi(kit, { resource: of });
      const { resource } = await present(api.handle(new Request(at))).json();
      const refused = await api.require(new Request(of)) as Response;
      const challenge = refused.headers.get("WWW-Authenticate") ?? "";
      assertEquals([resource, challenge.includes(`resource_metadata="${at}"`)], [of, true]);
    });
  }

  it("is at the root as well if the API says so (MCP 2026-07-28, Authorization)", async () => {
    const { api } = openApi(await openPublicLab(), { metadataAtRoot: true });
    for (const path of ["", "/v1"]) {
      assertEquals(await api.handle(new Request(wellKnown + path))?.json(), api.metadata, path);
    }
    assertEquals(api.handle(new Request(`${wellKnown}/v2`)), undefined);
  });

  it.withApi("has a URL that other libraries can name in their challenges", ({ api }) => {
    assert(metadataOf.includes(`"${api.metadataUrl}"`));
  });

  it.withApi("ignores every other request", ({ api }) => {
    for (const url of ["https://api.test/", resource, wellKnown, `${wellKnown}/v2`]) {
      assertEquals(api.handle(new Request(url)), undefined, url);
    }
  });

  it.withApi("responds to preflights and HEAD, and refuses other methods", async ({ api }) => {
    const ask = (method: string) => present(api.handle(new Request(`${wellKnown}/v1`, { method })));
    const statuses = ["OPTIONS", "HEAD", "POST"].map((method) => ask(method).status);
    assertEquals([...statuses, await ask("HEAD").text()], [204, 200, 405, ""]);
  });

  it("is refused if the resource is not a URL", () => {
    const authorizationServers = ["https://hallpass.test"];
    for (const wrong of ["api", "https://api.test/#a", "urn:api"]) {
      assertThrows(() => protectedResource({ resource: wrong, authorizationServers }), TypeError);
    }
    assertThrows(() => protectedResource({ resource, authorizationServers: [] }), TypeError);
  });
});
