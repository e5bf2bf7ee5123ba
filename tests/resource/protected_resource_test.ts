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
  service,
  startOfTime,
} from "../support/flow_kit.ts";
import { itWith } from "../support/it_with.ts";
import { makeKeyPair } from "../support/key_pairs.ts";
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
    fetch: (
      url,
      { signal: _, ...init },
    ) => (fetched.push(url), kit.server.fetch(new Request(url, init))),
    onFailure: (failure) => failures.push(failure),
    ...config,
  });
  const call = async (
    headers: Record<string, string> = {},
    requirements?: AccessRequirements,
    path = "/v1/things",
  ) => {
    const access = await api.require(
      new Request(`https://api.test${path}`, { headers }),
      requirements,
    );
    return access instanceof Response
      ? await read(access)
      : { access, ...await read(new Response()) };
  };
  return { api, call, fetched, failures };
}

async function tokenFor(kit: FlowKit, changes: Fields = {}): Promise<string> {
  const code = await kit.code({ scope: "read", resource, ...changes });
  return (await kit.redeem(code)).body.access_token;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const challengeOf = ({ headers }: { headers: Headers }) => headers.get("WWW-Authenticate") ?? "";

describe("An API's access check", () => {
  it.withKit("returns what the token allows, and to whom", async (kit) => {
    const { access } = await openApi(kit).call(bearer(await tokenFor(kit)), {
      scope: ["read"],
    }) as { access: VerifiedAccess };
    assertEquals([access.subject, access.clientId, access.scope], ["alice", "demo-spa", ["read"]]);
  });

  it.withKit("fetches the keys once for many requests", async (kit) => {
    const { call, fetched } = openApi(kit);
    const token = await tokenFor(kit);
    await Promise.all([call(bearer(token)), call(bearer(token)), call(bearer(token))]);
    assertEquals(fetched, [
      `${kit.issuer}/.well-known/oauth-authorization-server`,
      `${kit.issuer}/oauth2/jwks`,
    ]);
  });

  it("falls back to OpenID Connect Discovery, for an issuer with a path", async () => {
    const kit = await openPublicLab({ issuer: "https://hallpass.test/tenant" });
    const { call } = openApi(kit, {
      fetch: async (url, { signal: _, ...init }) =>
        url.includes("oauth-authorization-server")
          ? new Response(null, { status: 404 })
          : await kit.server.fetch(new Request(url, init)),
    });
    assertEquals((await call(bearer(await tokenFor(kit)))).status, 200);
  });

  const spellings: Array<[requested: string, api: string, status: number]> = [
    ["https://api.test/", "https://api.test", 200],
    ["https://api.test", "https://api.test/", 200],
    ["https://api.test/v1/", "https://api.test/v1", 401],
    ["https://api.test.example/", "https://api.test", 401],
    ["https://api.test/?", "https://api.test", 401],
  ];
  for (const [requested, of, status] of spellings) {
    it.withKit(`responds with ${status} to a token for ${requested}, as ${of} (RFC 3986, 6.2.3)`, async (kit) => {
      const token = await tokenFor(kit, { resource: requested });
      assertEquals((await openApi(kit, { resource: of }).call(bearer(token))).status, status);
    });
  }

  it.withKit("R02 reads the scheme in any case", async (kit) => {
    assertEquals(
      (await openApi(kit).call({ Authorization: `bEARER ${await tokenFor(kit)}` })).status,
      200,
    );
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

  it("R03 names no scope if it needs none", async () => {
    for (const requirements of [undefined, {}, { scope: [] }]) {
      const challenge = challengeOf(await openApi(await openPublicLab()).call({}, requirements));
      assertMatch(challenge, /^Bearer /);
      assert(!challenge.includes("scope="), challenge);
    }
  });

  it.withKit("R01 ignores a token in the query", async (kit) => {
    const response = await openApi(kit).call(
      {},
      {},
      `/v1/things?access_token=${await tokenFor(kit)}`,
    );
    assertEquals([response.status, response.text], [401, ""]);
  });

  it.withKit("R03 refuses two tokens", async (kit) => {
    const token = await tokenFor(kit);
    const response = await openApi(kit).call({ Authorization: `Bearer ${token}, Bearer ${token}` });
    assertEquals([response.status, response.body.error], [400, "invalid_request"]);
    assertMatch(challengeOf(response), /^Bearer .*error="invalid_request"/);
  });

  it.withKit("R03 names the missing scope", async (kit) => {
    const response = await openApi(kit).call(bearer(await tokenFor(kit)), {
      scope: ["read", "write"],
    });
    assertEquals([response.status, response.body.error], [403, "insufficient_scope"]);
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
    "a token of another issuer with the same keys": async (kit) =>
      await tokenFor(
        await openPublicLab({ issuer: "https://evil.test", now: () => kit.clock.now }),
      ),
    "a token with alg none": async (kit) => {
      const [, claims] = (await tokenFor(kit)).split(".");
      return `${btoa('{"alg":"none","typ":"at+jwt"}').replace(/=+$/, "")}.${claims}.`;
    },
  };
  for (const [what, make] of Object.entries(refused)) {
    it.withKit(`refuses ${what}`, async (kit) => {
      const response = await openApi(kit).call(bearer(await make(kit)));
      assertEquals([response.status, response.body.error], [401, "invalid_token"]);
      assertMatch(
        challengeOf(response),
        new RegExp(`^Bearer .*${metadataOf}.*error="invalid_token"`),
      );
    });
  }
});

describe("An API's check of the sign-in (RFC 9470)", () => {
  it.withKit("requests a new sign-in if the last one is too old", async (kit) => {
    const token = await tokenFor(kit);
    kit.clock.advance(301);
    const response = await openApi(kit).call(bearer(token), { maxAge: 300 });
    assertEquals([response.status, response.body.error], [401, "insufficient_user_authentication"]);
    assertMatch(
      challengeOf(response),
      /^Bearer .*max_age="300".*error="insufficient_user_authentication"/,
    );
    assertEquals((await openApi(kit).call(bearer(token), { maxAge: 301 })).status, 200);
  });

  it.withKit("treats a token without a sign-in as too old", async (kit) => {
    const { body } = await kit.token({ grant_type: "client_credentials", resource }, service);
    assertEquals(
      (await openApi(kit).call(bearer(body.access_token), { maxAge: 3600 })).body.error,
      "insufficient_user_authentication",
    );
  });

  it.withKit("requests one of the acr values", async (kit) => {
    const response = await openApi(kit).call(bearer(await tokenFor(kit)), {
      acrValues: ["urn:phr", "urn:phrh"],
    });
    assertEquals([response.status, response.body.error], [401, "insufficient_user_authentication"]);
    assertMatch(challengeOf(response), /acr_values="urn:phr urn:phrh"/);
  });

  it.withKit("accepts any of several acr values", async (kit) => {
    const token = await tokenFor(kit);
    const { acr = "" } = claimsOf<{ acr?: string }>(token);
    assert(acr !== "");
    for (const acrValues of [[acr], [acr, "urn:phr"], ["urn:phr", acr]]) {
      assertEquals((await openApi(kit).call(bearer(token), { acrValues })).status, 200);
    }
  });
});

describe("An API's check of DPoP (RFC 9449, section 7)", () => {
  async function boundToken(kit: FlowKit): Promise<string> {
    const proof = await makeProof(await proofKey(), "POST", `${kit.issuer}/oauth2/token`, {
      now: kit.clock.now,
    });
    return (await kit.redeem(await kit.code({ scope: "read", resource }), {}, { DPoP: proof })).body
      .access_token;
  }

  async function proven(token: string, changes: ProofChanges = {}, name = "ES256") {
    return {
      Authorization: `DPoP ${token}`,
      DPoP: await makeProof(await proofKey(name), "GET", `${resource}/things`, {
        token,
        ...changes,
      }),
    };
  }

  it.withKit("accepts a bound token with its proof, whatever the query", async (kit) => {
    assertEquals(
      (await openApi(kit).call(await proven(await boundToken(kit)), {}, "/v1/things?a=b")).status,
      200,
    );
  });

  it.withKit("CVE-2024-49755: refuses a bound token as a bearer token", async (kit) => {
    const token = await boundToken(kit);
    const response = await openApi(kit).call({ ...await proven(token), ...bearer(token) });
    assertEquals([response.status, response.body.error], [401, "invalid_token"]);
  });

  it.withKit("CVE-2024-49755: refuses a bound token without a proof", async (kit) => {
    const response = await openApi(kit).call({ Authorization: `DPoP ${await boundToken(kit)}` });
    assertEquals([response.status, response.body.error], [401, "invalid_dpop_proof"]);
    assertMatch(challengeOf(response), /DPoP .*algs="ES256[^"]*", error="invalid_dpop_proof"/);
  });

  it.withKit("refuses an unbound token under DPoP", async (kit) => {
    const response = await openApi(kit).call(await proven(await tokenFor(kit)));
    assertEquals([response.status, response.body.error], [401, "invalid_token"]);
  });

  const refused: Array<[what: string, changes: ProofChanges, key?: string]> = [
    ["a different key", {}, "ES256 another"],
    ["a different method", { claims: { htm: "POST" } }],
    ["a different path", { claims: { htu: resource } }],
    ["a different token", { token: "another" }],
    ["a different time", { now: startOfTime - 3_600_000 }],
  ];
  for (const [what, changes, key] of refused) {
    it.withKit(`refuses a proof of ${what}`, async (kit) => {
      const response = await openApi(kit).call(await proven(await boundToken(kit), changes, key));
      assertEquals([response.status, response.body.error], [401, "invalid_dpop_proof"]);
    });
  }

  it.withKit("accepts a proof once", async (kit) => {
    const { call } = openApi(kit);
    const headers = await proven(await boundToken(kit));
    assertEquals((await call(headers)).status, 200);
    assertEquals((await call(headers)).status, 401);
  });

  it.withKit("uses the origin of the resource, whatever the URL of the request", async (kit) => {
    const { api } = openApi(kit);
    const request = new Request("http://10.0.0.7:8080/v1/things", {
      headers: await proven(await boundToken(kit)),
    });
    assert(!(await api.require(request) instanceof Response));
  });

  it.withKit("lets the API record the proofs", async (kit) => {
    const noted: number[] = [];
    const { call } = openApi(kit, { noteProof: (_, until) => (noted.push(until), false) });
    assertEquals(
      (await call(await proven(await boundToken(kit)))).body.error,
      "invalid_dpop_proof",
    );
    assertEquals(noted, [startOfTime + 61_000]);
  });

  it.withKit("leaves it to the API when that fails to record a proof", async (kit) => {
    const { call } = openApi(kit, { noteProof: () => Promise.reject(new Error("disk full")) });
    const headers = await proven(await boundToken(kit));
    await assertRejects(() => call(headers), Error, "disk full");
  });

  it.withKit("uses the URL that the API provides as urlOf", async (kit) => {
    const { call } = openApi(kit, { urlOf: () => `${resource}/things` });
    assertEquals(
      (await call(await proven(await boundToken(kit)), {}, "/behind/a/proxy")).status,
      200,
    );
  });

  it.withKit("can be required", async (kit) => {
    const { api, call } = openApi(kit, { dpop: "required" });
    const response = await call(bearer(await tokenFor(kit)));
    assertEquals(
      [response.status, response.body.error, api.metadata.dpop_bound_access_tokens_required],
      [401, "invalid_token", true],
    );
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
    assertEquals(
      (await openApi(kit, asking(kit)).call(bearer(token), { scope: ["read"] })).status,
      200,
    );
    assertEquals((await openApi(kit).call(bearer(token))).status, 401);
  });

  it.withKit("notices a revocation at once", async (kit) => {
    const { call } = openApi(kit, asking(kit));
    const token = await tokenFor(kit);
    assertEquals((await call(bearer(token))).status, 200);
    await kit.post("/oauth2/revoke", { token, client_id: "demo-spa" });
    assertEquals((await call(bearer(token))).body.error, "invalid_token");
  });

  for (
    const [what, changes] of [
      ["a token for another resource", { resource: "https://other.test" }],
      ["a token for no resource", {
        resource: undefined,
      }],
    ] as const
  ) {
    it(`refuses ${what}`, async () => {
      const kit = await openPublicLab(opaque);
      assertEquals(
        (await openApi(kit, asking(kit)).call(bearer(await tokenFor(kit, changes)))).body.error,
        "invalid_token",
      );
    });
  }

  it.withKit("refuses a refresh token although it is active", async (kit) => {
    assertEquals(
      (await openApi(kit, asking(kit)).call(bearer((await kit.tokens()).refresh_token))).body.error,
      "invalid_token",
    );
  });
});

describe("An API and the introspection response", () => {
  const iat = startOfTime / 1000;
  const said = {
    active: true,
    iss: "https://opaque.test",
    aud: resource,
    sub: "a",
    client_id: "c",
    exp: iat + 60,
  };

  async function ask(changes: object): Promise<number> {
    const introspection = {
      clientId: "c",
      clientSecret: "s",
      endpoint: "https://opaque.test/introspect",
    };
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
    assertEquals([
      await ask({}),
      await ask({ iss: undefined, exp: undefined, aud: ["x", resource] }),
    ], [200, 200]);
  });

  const refused = [
    { active: false },
    { active: "true" },
    { iss: "https://evil.test" },
    { exp: iat },
    { aud: undefined },
    { aud: 7 },
    {
      aud: "x",
    },
  ];
  for (const changes of refused) {
    it(`refuses a token with ${JSON.stringify(changes)}`, async () =>
      assertEquals(await ask(changes), 401));
  }
});

describe("An API and the keys of its server", () => {
  const issuer = "https://keys.test";

  /** Creates an authorization server that only has a key set. */
  function openKeys() {
    const state = { keys: [] as object[], fetches: 0, fails: false, now: startOfTime };
    const api = protectedResource({
      resource,
      authorizationServers: [{ issuer, jwksUri: `${issuer}/jwks` }],
      now: () => state.now,
      fetch:
        async () => (state.fetches++,
          state.fails ? new Response(null, { status: 500 }) : Response.json({ keys: state.keys })),
    });
    const call = async (token: string) => {
      const access = await api.require(
        new Request(`${resource}/things`, { headers: bearer(token) }),
      );
      return access instanceof Response ? access.status : 200;
    };
    return { state, call };
  }

  async function makeKey(kid: string, alg = "ES256") {
    const { privateKey, publicJwk } = await makeKeyPair(alg);
    const sign = (changes: object = {}, header: object = {}) => {
      const iat = startOfTime / 1000;
      const claims = {
        iss: issuer,
        aud: resource,
        sub: "a",
        client_id: "c",
        jti: "j",
        iat,
        exp: iat + 86_400,
        ...changes,
      };
      return new SignJWT(claims).setProtectedHeader({ alg, kid, typ: "at+jwt", ...header }).sign(
        privateKey,
      );
    };
    return { jwk: { ...publicJwk, kid, alg }, sign };
  }

  it("fetches them again for an unknown key, at most every 30 seconds", async () => {
    const { state, call } = openKeys();
    const [one, two] = [await makeKey("1"), await makeKey("2")];
    state.keys = [one.jwk];
    assertEquals(await call(await one.sign()), 200);
    state.keys = [one.jwk, two.jwk];
    for (let times = 0; times < 5; times++) assertEquals(await call(await two.sign()), 401);
    assertEquals(state.fetches, 1);
    state.now += 30_000;
    assertEquals([await call(await two.sign()), state.fetches], [200, 2]);
  });

  it("does not fetch them again for a token that is invalid for another reason", async () => {
    const { state, call } = openKeys();
    const [one, two] = [await makeKey("1"), await makeKey("1")];
    state.keys = [one.jwk];
    assertEquals(await call(await one.sign()), 200);
    state.now += 60_000;
    const expired = await one.sign({ exp: startOfTime / 1000 - 60 });
    for (
      const token of [expired, await two.sign(), await one.sign({ iss: "https://other.test" })]
    ) {
      assertEquals([await call(token), state.fetches], [401, 1]);
    }
  });

  it("forgets a removed key within ten minutes", async () => {
    const { state, call } = openKeys();
    const one = await makeKey("1");
    state.keys = [one.jwk];
    assertEquals(await call(await one.sign()), 200);
    state.keys = [];
    state.now += 600_000;
    assertEquals(await call(await one.sign()), 401);
  });

  it("works for an hour without its server, and no longer", async () => {
    const { state, call } = openKeys();
    const one = await makeKey("1");
    state.keys = [one.jwk];
    assertEquals(await call(await one.sign()), 200);
    state.fails = true;
    state.now += 3_599_000;
    assertEquals(await call(await one.sign()), 200);
    state.now += 31_000;
    assertEquals(await call(await one.sign()), 503);
    state.fails = false;
    state.now += 5_000;
    assertEquals(await call(await one.sign()), 200);
  });

  const refused: Array<[what: string, claims: object, header?: object]> = [
    ["of a different type", {}, { typ: "JWT" }],
    ["without a type", {}, { typ: undefined }],
    ["without an expiry", { exp: undefined }],
    ["without a subject", { sub: undefined }],
    ["without a client", { client_id: undefined }],
    ["that is not valid yet", { nbf: startOfTime / 1000 + 60 }],
    ["that is bound by another method", { cnf: { "x5t#S256": "x" } }],
    ["that is bound to nothing", { cnf: null }],
  ];
  for (const [what, claims, header] of refused) {
    it(`refuses a token ${what} (RFC 9068, section 4)`, async () => {
      const { state, call } = openKeys();
      const one = await makeKey("1");
      state.keys = [one.jwk];
      assertEquals([await call(await one.sign()), await call(await one.sign(claims, header))], [
        200,
        401,
      ]);
    });
  }

  it("accepts the type in its long form, and in upper case", async () => {
    const { state, call } = openKeys();
    const one = await makeKey("1");
    state.keys = [one.jwk];
    for (const typ of ["application/at+jwt", "AT+JWT"]) {
      assertEquals(await call(await one.sign({}, { typ })), 200);
    }
  });

  it("refuses a token that is signed with a public key as a shared secret", async () => {
    const { state, call } = openKeys();
    const one = await makeKey("1", "RS256");
    state.keys = [one.jwk];
    const secret = new TextEncoder().encode(JSON.stringify(one.jwk));
    const token = await new SignJWT({
      iss: issuer,
      aud: resource,
      sub: "a",
      client_id: "c",
      jti: "j",
      iat: 1,
      exp: 9e9,
    })
      .setProtectedHeader({ alg: "HS256", kid: "1", typ: "at+jwt" }).sign(secret);
    assertEquals(await call(token), 401);
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
      const { call, failures } = openApi(kit, { fetch });
      const { status, headers, body } = await call(bearer(await tokenFor(kit)));
      assertEquals([status, body.error, headers.get("Retry-After")], [
        503,
        "temporarily_unavailable",
        "5",
      ]);
      assert(failures.length > 0);
    });
  }

  it.withKit("refuses metadata with a different issuer (RFC 8414, section 3.3)", async (kit) => {
    const { call, failures } = openApi(kit, {
      fetch: (url, { signal: _, ...init }) =>
        url.includes(".well-known")
          ? Promise.resolve(
            Response.json({ issuer: "https://evil.test", jwks_uri: `${kit.issuer}/oauth2/jwks` }),
          )
          : kit.server.fetch(new Request(url, init)),
    });
    assertEquals((await call(bearer(await tokenFor(kit)))).status, 503);
    assertMatch(failures[0]?.reason ?? "", /the 'issuer' of the metadata is not/);
  });

  it.withKit("names a URL that the metadata lacks", async (kit) => {
    const fetch = async () => Response.json({ issuer: kit.issuer });
    const { call, failures } = openApi(kit, { fetch });
    assertEquals((await call(bearer(await tokenFor(kit)))).status, 503);
    assertMatch(failures[0]?.reason ?? "", /the metadata has no 'jwks_uri'/);
  });

  it.withKit("fetches nothing for a token of another server", async (kit) => {
    const { call, fetched } = openApi(kit);
    await call(bearer("x"));
    await call(bearer(await tokenFor(await openPublicLab({ issuer: "https://evil.test" }))));
    assertEquals(fetched, []);
  });
});

describe("The metadata of an API (RFC 9728)", () => {
  it("names the authorization servers and the scopes", async () => {
    const documentation = "https://api.test/docs";
    const { api } = openApi(await openPublicLab(), {
      scopes: ["read"],
      name: "Things",
      documentation,
    });
    const response = api.handle(
      new Request("https://api.test/.well-known/oauth-protected-resource/v1"),
    )!;
    assertEquals([
      response.headers.get("Content-Type"),
      response.headers.get("Access-Control-Allow-Origin"),
    ], ["application/json", "*"]);
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

  it("leaves out what the API does not say", async () => {
    const optional = ["scopes_supported", "resource_name", "resource_documentation"];
    const { metadata } = openApi(await openPublicLab()).api;
    assertEquals(optional.filter((name) => name in metadata), []);
  });

  it("is not sent in response to HEAD", async () => {
    const url = "https://api.test/.well-known/oauth-protected-resource/v1";
    const response = openApi(await openPublicLab()).api.handle(
      new Request(url, { method: "HEAD" }),
    )!;
    assertEquals(await response.text(), "");
  });

  const places: Array<[of: string, at: string]> = [
    ["https://api.test", "/.well-known/oauth-protected-resource"],
    ["https://api.test/", "/.well-known/oauth-protected-resource"],
    ["https://api.test/mcp", "/.well-known/oauth-protected-resource/mcp"],
    ["https://api.test/mcp/", "/.well-known/oauth-protected-resource/mcp/"],
  ];
  for (const [of, at] of places) {
    it(`of ${of} is at ${at}, which the challenge names`, async () => {
      const { api } = openApi(await openPublicLab(), { resource: of });
      assertEquals((await api.handle(new Request(`https://api.test${at}`))!.json()).resource, of);
      const refused = await api.require(new Request(of)) as Response;
      assert(
        refused.headers.get("WWW-Authenticate")!.includes(
          `resource_metadata="https://api.test${at}"`,
        ),
      );
    });
  }

  it("is at the root as well if the API says so (MCP 2026-07-28, Authorization)", async () => {
    const { api } = openApi(await openPublicLab(), { metadataAtRoot: true });
    for (const path of ["", "/v1"]) {
      const at = new Request(`https://api.test/.well-known/oauth-protected-resource${path}`);
      assertEquals(await api.handle(at)?.json(), api.metadata, path);
    }
    const elsewhere = new Request("https://api.test/.well-known/oauth-protected-resource/v2");
    assertEquals(api.handle(elsewhere), undefined);
  });

  it.withApi("has a URL that other libraries can name in their challenges", async ({ api }) => {
    assert(metadataOf.includes(`"${api.metadataUrl}"`));
  });

  it.withApi("ignores every other request", async ({ api }) => {
    for (
      const path of [
        "/",
        "/v1",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/v2",
      ]
    ) {
      assertEquals(api.handle(new Request(`https://api.test${path}`)), undefined, path);
    }
  });

  it.withApi("responds to a script's preflight, and refuses other methods", async ({ api }) => {
    const ask = (method: string) =>
      api.handle(
        new Request("https://api.test/.well-known/oauth-protected-resource/v1", { method }),
      )!.status;
    assertEquals([ask("OPTIONS"), ask("HEAD"), ask("POST")], [204, 200, 405]);
  });

  it("is refused if the resource is not a URL", () => {
    for (const wrong of ["api", "https://api.test/#a", "urn:api"]) {
      assertThrows(
        () =>
          protectedResource({ resource: wrong, authorizationServers: ["https://hallpass.test"] }),
        TypeError,
      );
    }
    assertThrows(() => protectedResource({ resource, authorizationServers: [] }), TypeError);
  });
});
