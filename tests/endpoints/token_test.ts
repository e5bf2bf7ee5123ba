import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { describe } from "node:test";
import { createServer } from "../../src/server/features.ts";
import { createOriginReader } from "../../src/server/http/client_address.ts";
import { limitUserGuesses } from "../../src/server/issuer/limits/guess_limits.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { sha256 } from "../../src/server/util/crypto/hash.ts";
import { itWith } from "../support/it_with.ts";
import {
  basic,
  challenge,
  claimsOf,
  encode,
  type Fields,
  openKit,
  read,
  service,
  spa,
  verifier,
  web,
} from "../support/kit.ts";
import { itRefuses, post, redeeming, token } from "../support/refusals.ts";
import { failingStore } from "../support/stores.ts";

const it = itWith({ withKit: () => openKit() });

const grant = { grant_type: "client_credentials" };
const registered = "https://hallpass.test/authorized";
const wrong = "a".repeat(43);
const unencodedReason =
  "the secret is correct but not form-encoded: in HTTP Basic, send '+' as %2B and '%' as %25";

describe("The token endpoint (OAuth 2.1, section 3.2)", () => {
  for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
    it.withKit(`T01 responds to ${method} with 405 in JSON`, async (kit) => {
      const { status, headers, body } = await read(await kit.request("/oauth2/token", { method }));
      assertEquals([status, headers.get("Allow"), body.error], [405, "POST", "invalid_request"]);
    });
  }

  it.withKit("T01 takes nothing from the query string", async (kit) => {
    const code = await kit.code();
    const query = encode({
      grant_type: "authorization_code",
      code,
      redirect_uri: `${kit.issuer}/authorized`,
      code_verifier: verifier,
      client_id: "demo-spa",
    });
    const { body } = await read(await kit.post(`/oauth2/token?${query}`, {}));
    assertEquals(body.error, "invalid_request");
    assertEquals((await kit.redeem(code)).status, 200);
  });

  const types = ["application/json", "multipart/form-data", "text/plain", ";;;", ""];
  for (const type of [...types, "application/x-www-form-urlencoded; charset=utf-16"]) {
    it.withKit(`T02 refuses the content type '${type}'`, async (kit) => {
      const headers = { ...service, "Content-Type": type };
      const { status, body } = await read(await kit.post("/oauth2/token", grant, headers));
      assertEquals([status, body.error], [400, "invalid_request"]);
    });
  }

  it.withKit("T02 takes a charset of UTF-8", async (kit) => {
    const type = 'application/x-www-form-urlencoded;charset="UTF-8"';
    assertEquals((await kit.token(grant, { ...service, "Content-Type": type })).status, 200);
  });

  const code = { grant_type: "authorization_code", code: "x" };
  const refresh = { grant_type: "refresh_token" };
  itRefuses({
    "T14 no grant_type": ["grant_type.present", token({ grant_type: undefined }, service)],
    "T03 an empty grant_type": ["grant_type.present", token({ grant_type: "" }, service)],
    "T03 grant_type twice": ["form.unique", token({ grant_type: ["a", "a"] }, service)],
    "T14 an unknown grant_type": ["grant_type.supported", token({ grant_type: "magic" }, service)],
    "B11 the password grant": ["grant_type.supported", token({ grant_type: "password" }, web)],
    "T14 a grant that the client may not use": ["grant_type.allowed", token({}, web)],
    "T25 client_credentials by a public client": ["grant_type.allowed", token({})],
    "T14 an unknown scope": ["scope.allowed", token({ scope: "admin" }, service)],
    "scopes about users, for a client": ["scope.allowed", token({ scope: "openid" }, service)],
    "no code": ["code.present", token({ ...code, code: undefined })],
    "an unknown code": ["code.known", token(code)],
    "no refresh_token": ["refresh_token.present", token(refresh)],
    "an unknown one": ["refresh_token.known", token({ ...refresh, refresh_token: "x" })],
    "no client": ["client.named", token({ client_id: undefined })],
    "an unknown client": ["client.authenticated", token({}, basic("nobody", "x"))],
    "T04 a wrong secret": ["client.authenticated", token({}, basic("demo-service", "x"))],
    "T10 an empty secret": ["client.authenticated", token({}, basic("demo-service", ""))],
    "T10 no secret": ["client.authenticated", token({ client_id: "demo-service" })],
    "T04 T10 a secret from a public client": [
      "client.no_secret",
      token({ client_id: "demo-spa", client_secret: "x" }),
    ],
    "T04 T10 Basic from a public client": ["client.no_secret", token(code, basic("demo-spa", ""))],
    "T05 a secret in the URI, even beside one in the body": [
      "request.no_secret_in_uri",
      post("/oauth2/token?client_secret=demo-service-secret", {}, service),
    ],
    "a secret without a client_id": [
      "client.secret_has_id",
      token({ client_id: undefined, client_secret: "x" }),
    ],
    "T07 two ways to authenticate": [
      "client.one_method",
      token({ client_secret: "demo-service-secret" }, service),
    ],
    "another scheme": ["client.basic_scheme", token({}, { Authorization: "Bearer x" })],
  });

  it.withKit("T09 names Basic in every 401", async (kit) => {
    const wrongSecret = { client_id: "demo-service", client_secret: "x" };
    const { headers } = await kit.token({ ...grant, ...wrongSecret });
    assertMatch(headers.get("WWW-Authenticate")!, /^Basic realm="https:\/\/hallpass.test"/);
  });

  it("responds alike to an unknown client and a wrong secret, outside a lab", async () => {
    const kit = openKit({ hints: false });
    const answers = [
      await kit.token({ grant_type: "x" }, basic("nobody", "x")),
      await kit.token({ grant_type: "x" }, basic("demo-web", "x")),
    ];
    assertEquals(answers[0]?.body, answers[1]?.body);
  });

  it("explains with hints what was wrong, although nothing listens to events", async () => {
    const server = createServer({ issuer: "https://hallpass.test", clients: [], hints: true });
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id: "nobody" });
    const url = "https://hallpass.test/oauth2/token";
    const response = await server.fetch(new Request(url, { method: "POST", body: form }));
    assertMatch(await response.text(), /Received: .* Expected: /);
  });

  it.withKit("T05 takes the secret in the body", async (kit) => {
    const own = { client_id: "demo-service", client_secret: "demo-service-secret" };
    assertEquals((await kit.token({ ...grant, ...own })).status, 200);
  });

  it.withKit("T03 ignores unknown parameters", async (kit) => {
    assertEquals((await kit.token({ ...grant, extra: "foobar" }, service)).status, 200);
  });

  it("T12 T25 returns a token, its type, its lifetime and its scope, and no more", async () => {
    const { body, headers } = await openKit().token(grant, service);
    assertEquals(Object.keys(body), ["access_token", "token_type", "expires_in", "scope"]);
    assertEquals(typeof body.expires_in, "number");
    assertEquals(body.scope, "read");
    assertEquals(headers.get("Content-Type"), "application/json");
  });

  it.withKit("T13 keeps success and error out of caches", async (kit) => {
    for (const sent of [service, {}]) {
      const { headers } = await kit.token(grant, sent);
      assertEquals(headers.get("Cache-Control"), "no-store");
    }
  });

  it.withKit("T15 lets scripts call it, and never with cookies", async (kit) => {
    const init = { method: "OPTIONS", headers: { Origin: "https://app.example" } };
    const preflight = await kit.request("/oauth2/token", init);
    assertEquals(preflight.status, 204);
    assertEquals(preflight.headers.get("Access-Control-Allow-Origin"), "*");
    assertMatch(
      preflight.headers.get("Access-Control-Allow-Headers")!,
      /Authorization, Content-Type, DPoP, MCP-Protocol-Version/,
    );
    const { headers } = await kit.token(grant);
    assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
    assertEquals(headers.get("Access-Control-Allow-Credentials"), null);
    assertMatch(headers.get("Access-Control-Expose-Headers")!, /WWW-Authenticate, DPoP-Nonce/);
  });

  const wrongSecrets: Array<[secret: string, sent: string | undefined, reason: string]> = [
    ["a+secret/of%32-characters-at-least==", undefined, unencodedReason],
    ["a+secret/of%32-characters-at-least==", "another+secret", "wrong secret"],
    ["a-secret-of-only-letters-and-a-dash", "a-secret", "wrong secret"],
  ];
  for (const [secret, sent, reason] of wrongSecrets) {
    it(`I5: the log and the hint give the reason for a secret by Basic: ${reason}`, async () => {
      const kit = openKit({
        clients: [{ id: "web", secret, grantTypes: ["client_credentials"], scopes: ["read"] }],
      });
      const header = { Authorization: `Basic ${btoa(`web:${sent ?? secret}`)}` };
      const { status, body } = await kit.token(grant, header);
      assertEquals(status, 401);
      assertStringIncludes(body.error_description, `Received: client_secret_basic, ${reason}`);
      const refused = kit.events.filter((event) => event.type === "client.refused");
      assertEquals(refused.map((event) => event.reason), [reason]);
    });
  }

  it("T08 lets no more through when they come all at once", async () => {
    const kit = openKit({ guessesPerMinute: 5 });
    kit.address = "192.0.2.1";
    const guess = (_: unknown, n: number) => kit.token(grant, basic("demo-service", `${n}`));
    const answers = await Promise.all(Array.from({ length: 50 }, guess));
    assertEquals(answers.filter(({ status }) => status === 401).length, 5);
  });

  it("T08 counts only wrong secrets: unknown clients and wrong methods lock no client out", async () => {
    const kit = openKit({ guessesPerMinute: 2 });
    for (let time = 0; time < 10; time++) {
      await kit.token(grant, basic("nobody", "x"));
      await kit.token({ ...grant, client_id: "demo-spa", client_secret: "x" });
    }
    assertEquals((await kit.redeem(await kit.code())).status, 200);
  });

  it("T08 forgets no guesser for the sake of ten thousand who guess nothing", async () => {
    const shared = { usedElsewhere: async () => 0, publish: async () => {} };
    const limits = limitUserGuesses({ now: () => 0, perMinute: 2, shared });
    const guess = (name: string, found?: string) =>
      limits.check({ name, sender: "192.0.2.1" }, async () => found);
    for (let time = 0; time < 2; time++) await guess("a");
    for (let n = 0; n < 10_000; n++) await guess(`${n}`, "found");
    await assertRejects(() => guess("a"), OAuthError, "Too many");
  });

  it("T08 B21 counts by address, and believes only proxies that are trusted", () => {
    const read = (trusted: string[], peer: string, forwarded: string) =>
      createOriginReader(trusted)({ peer, headers: new Headers({ "X-Forwarded-For": forwarded }) });
    const proxies = ["10.0.0.1", "10.0.0.2"];
    assertEquals(read([], "9.9.9.9", "1.2.3.4").address, "9.9.9.9");
    assertEquals(read(["10.0.0.1"], "10.0.0.1", "6.6.6.6, 1.2.3.4").address, "1.2.3.4");
    assertEquals(read(proxies, "10.0.0.1", "1.2.3.4, 10.0.0.2").address, "1.2.3.4");
  });

  it("T08 stops guesses at a secret, and allows attempts again after a minute", async () => {
    const kit = openKit({ guessesPerMinute: 5 });
    kit.address = "192.0.2.1";
    for (let guess = 0; guess < 5; guess++) {
      await kit.token(grant, basic("demo-service", `${guess}`));
    }
    const throttled = await kit.token(grant, service);
    assertEquals([throttled.status, throttled.headers.get("Retry-After")], [429, "60"]);
    const { body } = await kit.token({ ...grant, client_id: "demo-spa" });
    assertEquals(body.error, "unauthorized_client");
    assertEquals(throttled.body.error, "temporarily_unavailable");
    kit.clock.advance(60);
    assertEquals((await kit.token(grant, service)).status, 200);
  });
});

describe("A code at the token endpoint (OAuth 2.1, section 4.1.3)", () => {
  const other = "https://hallpass.test/callback";
  itRefuses({
    "T20 no code_verifier": ["verifier.present", redeeming({ code_verifier: undefined })],
    "T20 an empty code_verifier": ["verifier.present", redeeming({ code_verifier: "" })],
    "T18 a wrong code_verifier": ["verifier.matches", redeeming({ code_verifier: wrong })],
    "T22 one that goes on after the verifier": [
      "verifier.matches",
      redeeming({ code_verifier: `${verifier}a` }),
    ],
    "IsPkcePlainDowngradeDetected": ["verifier.matches", redeeming({ code_verifier: challenge })],
    "T22 42 characters": ["verifier.form", redeeming({ code_verifier: "a".repeat(42) })],
    "T22 129 characters": ["verifier.form", redeeming({ code_verifier: "a".repeat(129) })],
    "T22 one character, although the challenge is its hash (CVE-2026-41213)": [
      "verifier.form",
      async (kit) => {
        const code = await kit.code({ code_challenge: await sha256("a") });
        return kit.redeem(code, { code_verifier: "a" });
      },
    ],
    "T24 no redirect_uri": ["code.redirect_uri_present", redeeming({ redirect_uri: undefined })],
    "T24 another redirect_uri": ["code.redirect_uri", redeeming({ redirect_uri: other })],
    "T24 a slash more": ["code.redirect_uri", redeeming({ redirect_uri: `${registered}/` })],
    "T19 IsCodeBoundToClient: public": ["code.client", redeeming({ client_id: "demo-cli" })],
    "T19 another confidential client (CVE-2026-55672)": ["code.client", redeeming({}, web)],
    "another resource": ["resource.granted", redeeming({ resource: "https://api.example" })],
    "a wrong secret": ["client.authenticated", redeeming({}, basic("demo-web", "x"))],
  });

  it.withKit("T23 is worth nothing after five minutes", async (kit) => {
    const code = await kit.code();
    kit.clock.advance(300);
    assertEquals((await kit.redeem(code)).body.error, "invalid_grant");
  });

  it.withKit("A28 is worth something for almost five minutes", async (kit) => {
    const code = await kit.code();
    kit.clock.advance(299);
    assertEquals((await kit.redeem(code)).status, 200);
  });

  it.withKit("A29 B18 is bound to the nonce, the user and the scope", async (kit) => {
    const code = await kit.code({ nonce: "n-1", scope: "openid read" }, { user: "bob" });
    const { body } = await kit.redeem(code);
    const { nonce, sub } = claimsOf(body.id_token);
    assertEquals([nonce, sub, body.scope], ["n-1", "bob", "openid read"]);
  });

  it.withKit("A30 A31 carries no information and cannot be guessed: 256 random bits", async (kit) => {
    const codes = [await kit.code(), await kit.code()];
    assertNotEquals(codes[0], codes[1]);
    for (const code of codes) assertMatch(code, /^[\w-]{43}$/);
  });

  it.withKit("T16 SingleFastACExchange: of twenty at once, exactly one wins", async (kit) => {
    const code = await kit.code();
    const answers = await Promise.all(Array.from({ length: 20 }, () => kit.redeem(code)));
    assertEquals(answers.filter(({ status }) => status === 200).length, 1);
  });

  it.withKit("T16 ConcurrentTokensRevoked: what was won in a race is dead", async (kit) => {
    const code = await kit.code();
    const answers = await Promise.all(Array.from({ length: 5 }, () => kit.redeem(code)));
    const { access_token, refresh_token } = answers.find(({ status }) => status === 200)!.body;
    assertEquals((await kit.userinfo(access_token)).status, 401);
    assertEquals((await kit.refresh(refresh_token)).body.error, "invalid_grant");
  });

  it.withKit("T17 TokenValidAfterMultiExchange: a second valid use revokes everything, descendants included", async (kit) => {
    const code = await kit.code();
    const first = (await kit.redeem(code)).body;
    const second = (await kit.refresh(first.refresh_token)).body;
    assertEquals((await kit.redeem(code)).body.error, "invalid_grant");
    for (const { access_token } of [first, second]) {
      assertEquals((await kit.userinfo(access_token)).status, 401);
    }
    assertEquals((await kit.refresh(second.refresh_token)).body.error, "invalid_grant");
  });

  it.withKit("T17 recognises a replay long after the code itself has expired", async (kit) => {
    const code = await kit.code();
    const { refresh_token } = (await kit.redeem(code)).body;
    kit.clock.advance(86_400);
    assertEquals((await kit.redeem(code)).body.error, "invalid_grant");
    assertEquals((await kit.refresh(refresh_token)).body.error, "invalid_grant");
  });

  const harmless: Array<[what: string, changes: Fields, headers: Record<string, string>]> = [
    ["a wrong verifier", { code_verifier: "a".repeat(43) }, {}],
    ["another redirect_uri", { redirect_uri: "https://hallpass.test/callback" }, {}],
    ["another client", {}, web],
  ];
  for (const [what, changes, headers] of harmless) {
    it.withKit(`T18 a replay with ${what} revokes nothing`, async (kit) => {
      const code = await kit.code();
      const { access_token } = (await kit.redeem(code)).body;
      assertEquals((await kit.redeem(code, changes, headers)).body.error, "invalid_grant");
      assertEquals((await kit.userinfo(access_token)).status, 200);
    });
  }

  it.withKit("CVE-2026-4282: is no refresh token, and a refresh token is no code", async (kit) => {
    const code = await kit.code();
    assertEquals((await kit.refresh(code)).body.error, "invalid_grant");
    const { refresh_token } = (await kit.redeem(code)).body;
    assertEquals((await kit.redeem(refresh_token)).body.error, "invalid_grant");
  });

  it.withKit("CVE-2026-27840: is no longer itself with a piece missing, added or changed", async (kit) => {
    const code = await kit.code();
    const changed = `${code[0] === "a" ? "b" : "a"}${code.slice(1)}`;
    const longer = [`${code}a`, ` ${code}`];
    for (
      const other of [code.slice(1), code.slice(0, -1), ...longer, code.toLowerCase(), changed]
    ) {
      assertEquals((await kit.redeem(other)).body.error, "invalid_grant");
    }
    assertEquals((await kit.redeem(code)).status, 200);
  });

  it("is not consumed by a failure of the server: the request can be repeated", async () => {
    const store = failingStore();
    const kit = openKit({ store });
    const code = await kit.code();
    for (const method of ["add", "consume"] as const) {
      store.failing.add(method);
      assertEquals((await kit.redeem(code)).status, 503);
      store.failing.clear();
    }
    const { status, body } = await kit.redeem(code);
    assertEquals(status, 200);
    store.failing.add("get");
    assertEquals((await kit.refresh(body.refresh_token)).status, 503);
    store.failing.clear();
    assertEquals((await kit.refresh(body.refresh_token)).status, 200);
  });

  it.withKit("T24 A14 is bound to the loopback port that was used, not to the registered one", async (kit) => {
    const cli = { client_id: "demo-cli", redirect_uri: "http://127.0.0.1:51234/callback" };
    const code = await kit.code(cli);
    const redeem = (redirect_uri: string) => kit.redeem(code, { ...cli, redirect_uri });
    assertEquals((await redeem("http://127.0.0.1/callback")).body.error, "invalid_grant");
    assertEquals((await redeem(cli.redirect_uri)).status, 200);
  });

  it("T24 may leave the redirect_uri away where its client may", async () => {
    const kit = openKit({ clients: [spa({ redirectUriAtToken: "if-present" })] });
    assertEquals((await kit.redeem(await kit.code(), { redirect_uri: undefined })).status, 200);
    const other = { redirect_uri: "https://hallpass.test/x" };
    assertEquals((await kit.redeem(await kit.code(), other)).body.error, "invalid_grant");
  });
});

describe("A confidential client that may leave PKCE away (OAuth 2.1, section 7.5.1)", () => {
  const it = itWith({
    withKit: () =>
      openKit({ clients: [spa({ id: "demo-web", secret: "demo-web-secret", pkce: "optional" })] }),
  });
  const without = {
    client_id: "demo-web",
    code_challenge: undefined,
    code_challenge_method: undefined,
  };
  const noVerifier = { client_id: undefined, code_verifier: undefined };

  it.withKit("gets tokens without a verifier", async (kit) => {
    assertEquals((await kit.redeem(await kit.code(without), noVerifier, web)).status, 200);
  });

  it.withKit("B04 T20 T21 is refused with a verifier that belongs to no challenge", async (kit) => {
    const { body } = await kit.redeem(await kit.code(without), {}, web);
    assertEquals(body.error, "invalid_request");
  });

  it.withKit("IsPkceTokenDowngradeDetected: must send the verifier once it sent a challenge (CVE-2024-22258, glewlwyd 2.7.7)", async (kit) => {
    const code = await kit.code({ client_id: "demo-web" });
    assertEquals((await kit.redeem(code, noVerifier, web)).body.error, "invalid_grant");
  });
});

describe("ID tokens (OpenID Connect Core, section 2)", () => {
  it("O04 contain who signed in, where, when and for whom", async () => {
    const kit = openKit({ idTokenClaims: "minimal" });
    const { id_token } = await kit.tokens({ nonce: "n-1", max_age: "60" });
    const { sid: _, jti, at_hash: __, ...claims } = claimsOf(id_token);
    const now = kit.clock.now / 1000;
    const signIn = { auth_time: now, acr: "urn:hallpass:password", amr: ["pwd"] };
    assertEquals(claims, {
      iss: kit.issuer,
      sub: "alice",
      aud: "demo-spa",
      iat: now,
      exp: now + 3600,
      nonce: "n-1",
      ...signIn,
    });
    assertMatch(jti, /^[\w-]{36}\.[\w-]{22}$/);
  });

  it.withKit("O04 hold no nonce where none was sent, and come only with the scope openid", async (kit) => {
    assertEquals("nonce" in claimsOf((await kit.tokens()).id_token), false);
    assertEquals((await kit.tokens({ scope: "read" })).id_token, undefined);
  });
});

describe("Events", () => {
  it("change nothing about a request when a listener fails", async () => {
    const kit = openKit({
      onEvent: () => {
        throw new Error("a listener's bug");
      },
    });
    const log = console.error;
    console.error = () => {};
    try {
      assertEquals((await kit.redeem(await kit.code())).status, 200);
      assertEquals((await kit.redeem("x")).status, 400);
    } finally {
      console.error = log;
    }
  });

  it.withKit("B26 hold neither a code, nor a token, nor a verifier, nor a password", async (kit) => {
    const code = await kit.code();
    const { access_token, refresh_token, id_token } = (await kit.redeem(code)).body;
    await kit.redeem(code);
    await kit.refresh(refresh_token, { client_id: "demo-web", client_secret: "demo-web-secret" });
    const told = JSON.stringify(kit.events);
    const tokens = [access_token, refresh_token, id_token];
    for (const secret of [code, ...tokens, verifier, "demo-web-secret"]) {
      assert(!told.includes(secret));
    }
    assert(kit.events.length > 5);
  });
});

describe("Access tokens (RFC 9068)", () => {
  it.withKit("T35 contain who, for whom, for what and how long: an hour", async (kit) => {
    const { access_token } = await kit.tokens();
    const { jti, ...claims } = claimsOf(access_token);
    const now = kit.clock.now / 1000;
    assertEquals(claims, {
      iss: kit.issuer,
      sub: "alice",
      aud: kit.issuer,
      client_id: "demo-spa",
      scope: "openid profile read",
      iat: now,
      exp: now + 3600,
      auth_time: now,
      acr: "urn:hallpass:password",
    });
    assert(jti.length > 20);
    assertEquals(decodeProtectedHeader(access_token).typ, "at+jwt");
  });

  it.withKit("T34 B10 are meant for the resource that was asked for", async (kit) => {
    const code = await kit.code({ resource: ["https://a.example", "https://b.example"] });
    const both = (await kit.redeem(code)).body;
    assertEquals(claimsOf(both.access_token).aud, ["https://a.example", "https://b.example"]);
    const one = (await kit.refresh(both.refresh_token, { resource: "https://a.example" })).body;
    assertEquals(claimsOf(one.access_token).aud, "https://a.example");
  });

  it("can be opaque", async () => {
    const kit = openKit({ clients: [spa({ accessTokenFormat: "opaque" })] });
    const { access_token } = await kit.tokens();
    assertMatch(access_token, /^[\w-]{43}$/);
    assertEquals((await kit.userinfo(access_token)).status, 200);
    kit.clock.advance(3600);
    assertEquals((await kit.userinfo(access_token)).status, 401);
  });

  it.withKit("B23 of a client for itself name the client as the subject", async (kit) => {
    const { body } = await kit.token(grant, service);
    assertEquals(claimsOf(body.access_token).sub, "demo-service");
  });
});

describe("A client that cannot prove who it is", () => {
  it.withKit("is reported with the reason, and an unknown client by no name", async (kit) => {
    await kit.token(grant, basic("demo-service", "wrong"));
    await kit.token(grant, basic("nobody", "x"));
    const refused = kit.events.filter((event) => event.type === "client.refused");
    assertEquals(refused.map(({ client }) => client), ["demo-service", "unknown"]);
    assertEquals(new Set(refused.map(({ reason }) => reason)).size, 2);
  });
});
