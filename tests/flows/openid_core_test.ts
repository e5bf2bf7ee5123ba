import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { describe } from "node:test";
import { type Browser, textOf, type UserActions } from "../support/browser.ts";
import { itWith } from "../support/it_with.ts";
import { claimsOf, type Fields, type Kit, openKit, read } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { hasFeature } from "../support/where_feature.ts";

const it = itWith({ inSuite: openSuite });

/** A client as the certification has it: confidential, by Basic, and older than PKCE. */
const redirectUri = "https://suite.example/callback";
const suite = {
  id: "suite",
  secret: "suite-secret",
  redirectUris: [redirectUri],
  pkce: "optional" as const,
};

function openSuite(changes: Partial<Parameters<typeof openKit>[0]> = {}) {
  const kit = openKit({ clients: [suite], ...changes });
  const credentials = { Authorization: `Basic ${btoa("suite:suite-secret")}` };
  const urlOf = (fields: Fields = {}) =>
    kit.authorizationUrl({
      client_id: "suite",
      redirect_uri: redirectUri,
      scope: "openid",
      code_challenge: undefined,
      code_challenge_method: undefined,
      nonce: "a-nonce",
      ...fields,
    });
  const callback = async (
    fields?: Fields,
    user?: UserActions,
    browser: Browser = kit.browser(),
  ) => new URL(await browser.authorize(urlOf(fields), user)).searchParams;
  const redeem = async (code: string) => {
    const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
    return await kit.token(fields, credentials);
  };
  const tokens = async (fields?: Fields, user?: UserActions, browser?: Browser) =>
    (await redeem((await callback(fields, user, browser)).get("code")!)).body;
  const userinfo = async (token: string) => (await kit.userinfo(token)).body;
  return { kit, credentials, urlOf, callback, redeem, tokens, userinfo };
}

async function jwksOf(kit: Kit) {
  return createLocalJWKSet((await read(await kit.get("/oauth2/jwks"))).body);
}

describe("A refresh (OpenID Connect Core, section 12.2)", () => {
  it.inSuite("O09 issues an ID token of the same sign-in, with a later time and without a nonce", async ({ kit, credentials, tokens }) => {
    const { id_token, refresh_token } = await tokens({
      claims: '{"id_token":{"email":null}}',
      acr_values: "urn:hallpass:password",
    });
    kit.clock.advance(100);
    const refreshed = (await kit.refresh(refresh_token, {}, credentials)).body;
    const { nonce, at_hash: _, jti, ...before } = claimsOf(id_token);
    const { at_hash: __, jti: another, ...after } = claimsOf(refreshed.id_token);
    assertNotEquals(jti, another);
    assertEquals([nonce, before.email], ["a-nonce", "alice@example.com"]);
    assertEquals(after, { ...before, iat: before.iat + 100, exp: before.exp + 100 });
  });
});

describe("prompt=none (OpenID Connect Core, section 3.1.2.1)", () => {
  it.inSuite("O03 without a session is login_required", async ({ kit, urlOf }) => {
    assertMatch((await kit.browser().open(urlOf({ prompt: "none" }))).url, /error=login_required/);
  });
});

describe("id_token_hint (OpenID Connect Core, section 3.1.2.1)", () => {
  it.inSuite("O02 of another user asks for a sign-in, and with prompt=none is login_required", async ({ kit, tokens, urlOf }) => {
    const hint = (await tokens({}, { user: "bob" })).id_token;
    const browser = kit.browser();
    await tokens({}, {}, browser);
    assertMatch((await browser.open(urlOf({ id_token_hint: hint }))).html, /id="sign-in"/);
    assertMatch(
      (await browser.open(urlOf({ id_token_hint: hint, prompt: "none" }))).url,
      /error=login_required/,
    );
    assertEquals(await callbackError(browser, urlOf({ id_token_hint: hint }), "bob"), null);
  });

  it.inSuite("O02 gets no response for a user whom it does not name", async ({ kit, tokens, urlOf }) => {
    const { id_token } = await tokens({}, { user: "bob" });
    assertEquals(
      await callbackError(kit.browser(), urlOf({ id_token_hint: id_token }), "carol"),
      "login_required",
    );
  });

  it.inSuite("is invalid_request where it is no ID token of ours", async ({ kit, tokens, urlOf }) => {
    const { access_token } = await tokens();
    for (const hint of ["x", access_token, "a.b.c"]) {
      assertMatch(
        (await kit.browser().open(urlOf({ id_token_hint: hint }))).url,
        /error=invalid_request/,
      );
    }
  });
});

async function callbackError(browser: Browser, url: string, user: string): Promise<string | null> {
  return new URL(await browser.authorize(url, { user })).searchParams.get("error");
}

describe("The claims parameter (OpenID Connect Core, section 5.5)", () => {
  it("O07 puts claims into the ID token, with the user's current values", async () => {
    const claims = JSON.stringify({
      id_token: {
        email: null,
        nickname: { value: "Al" },
        gender: { values: ["x"] },
        unheard_of: null,
      },
    });
    const { id_token } = await openSuite().tokens({ claims });
    const { email, nickname, gender, unheard_of } = claimsOf<Record<string, unknown>>(id_token);
    assertEquals({ email, nickname, gender, unheard_of }, {
      email: "alice@example.com",
      nickname: "Al",
      gender: undefined,
      unheard_of: undefined,
    });
  });

  it.inSuite("O07 with the sub of another user is login_required, and asks for a sign-in first", async ({ kit, tokens, urlOf }) => {
    const browser = kit.browser();
    await tokens({}, {}, browser);
    const url = urlOf({ claims: '{"id_token":{"sub":{"value":"bob"}}}' });
    assertMatch((await browser.open(url)).html, /id="sign-in"/);
    assertMatch((await browser.open(`${url}&prompt=none`)).url, /error=login_required/);
    assertEquals(await callbackError(browser, url, "carol"), "login_required");
    assertEquals(await callbackError(browser, url, "bob"), null);
  });

  it("cannot replace the claims of the token itself", async () => {
    const claims = {
      sub: "mallory",
      aud: "other",
      nonce: "n",
      acr: "gold",
      cnf: { jkt: "x" },
      name: "Eve",
    };
    const { tokens, userinfo } = openSuite({ users: [{ name: "eve", password: "eve", claims }] });
    const wanted = Object.fromEntries(Object.keys(claims).map((name) => [name, null]));
    const fields = {
      nonce: undefined,
      claims: JSON.stringify({ id_token: wanted, userinfo: wanted }),
    };
    const { id_token, access_token } = await tokens(fields, { user: "eve" });
    const { sub, aud, nonce, acr, cnf, name } = claimsOf(id_token);
    assertEquals([sub, aud, nonce, acr, cnf, name], [
      "eve",
      "suite",
      undefined,
      "urn:hallpass:password",
      undefined,
      "Eve",
    ]);
    assertEquals(await userinfo(access_token), { sub: "eve", name: "Eve" });
  });

  it("gives no claim of a scope that the client may not have, and none at all without openid", async () => {
    const narrow = { ...suite, scopes: ["openid", "read"], defaultScope: ["read"] };
    const { tokens, userinfo } = openSuite({ clients: [narrow] });
    const claims = '{"userinfo":{"email":null},"id_token":{"email":null}}';
    const { access_token, id_token } = await tokens({ claims });
    assertEquals(await userinfo(access_token), { sub: "alice" });
    assertEquals("email" in claimsOf(id_token), false);
    assertEquals((await tokens({ claims, scope: "read" })).id_token, undefined);
  });

  it.inSuite("is shown on the consent page, and consent to it is remembered", async ({ kit, callback, urlOf }) => {
    const browser = kit.browser();
    const claims = '{"userinfo":{"birthdate":null}}';
    await callback({}, {}, browser);
    const page = await browser.open(urlOf({ claims }));
    assertMatch(textOf(page.html), /birthdate/);
    await callback({ claims }, {}, browser);
    assertEquals((await browser.open(urlOf({ claims }))).status, 303);
    assertEquals(
      (await browser.open(urlOf({ claims: '{"id_token":{"gender":null}}' }))).status,
      200,
    );
    assertEquals((await browser.open(urlOf({ scope: "openid profile", claims }))).status, 200);
  });

  const bad = [
    "x",
    "[]",
    "null",
    '"name"',
    '{"userinfo":[]}',
    '{"userinfo":{"name":1}}',
    '{"id_token":{"name":{"essential":"yes"}}}',
    '{"id_token":{"name":{"values":"x"}}}',
    "[".repeat(8000),
    `{"id_token":{"a":{"value":${"[".repeat(5000)}${"]".repeat(5000)}}}}`,
    JSON.stringify({
      userinfo: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [at, null])),
    }),
  ];
  for (const claims of bad) {
    it.inSuite(`O07 is invalid_request when it is ${claims.slice(0, 50)}`, async ({ kit, urlOf }) => {
      assertMatch((await kit.browser().open(urlOf({ claims }))).url, /error=invalid_request/);
    });
  }
});

describe("acr and step-up (OpenID Connect Core, section 5.5.1.1; RFC 9470)", () => {
  const strong = "urn:hallpass:two-factor";
  const weak = "urn:hallpass:password";
  const essential = (...values: string[]) =>
    JSON.stringify({ id_token: { acr: { essential: true, values } } });

  it.inSuite("a requested acr that the session lacks causes a sign-in, and is in every token", async ({ kit, credentials, tokens, urlOf }) => {
    const browser = kit.browser();
    await tokens({}, {}, browser);
    assertMatch((await browser.open(urlOf({ acr_values: strong }))).html, /id="sign-in"/);
    const { id_token, access_token } = await tokens({ acr_values: strong }, {}, browser);
    const { acr, amr, auth_time } = claimsOf(id_token);
    assertEquals([acr, amr], [strong, ["pwd", "mfa"]]);
    const others: object[] = [claimsOf(access_token)];
    if (hasFeature("introspection")) {
      others.push((await kit.introspect(access_token, {}, credentials)).body);
    }
    for (const other of others) assertEquals(other, { ...other, acr, auth_time });
  });

  it.inSuite("a stronger session will do, and the acr is the one that was asked for", async ({ kit, tokens, urlOf }) => {
    const browser = kit.browser();
    await tokens({ acr_values: strong }, {}, browser);
    assertEquals((await browser.open(urlOf({ acr_values: weak }))).status, 303);
    assertEquals(claimsOf((await tokens({ acr_values: weak }, {}, browser)).id_token).acr, weak);
    assertEquals(claimsOf((await tokens({}, {}, browser)).id_token).acr, strong);
  });

  it.inSuite("a weaker session with prompt=none is login_required", async ({ kit, tokens, urlOf }) => {
    const browser = kit.browser();
    await tokens({}, {}, browser);
    assertMatch(
      (await browser.open(urlOf({ acr_values: strong, prompt: "none" }))).url,
      /error=login_required/,
    );
  });

  it.inSuite("an essential acr that no sign-in here has fails", async ({ kit, urlOf }) => {
    assertMatch(
      (await kit.browser().open(urlOf({ claims: essential("gold") }))).url,
      /error=unmet_authentication_requirements/,
    );
  });

  it("CVE-2025-64103: an essential acr that the sign-in did not reach fails; a voluntary one does not", async () => {
    const authenticate = (_: unknown, { find }: { find(name: string): Promise<unknown> }) =>
      find("alice") as never;
    const { kit, urlOf } = openSuite({ policies: { authenticate } });
    assertEquals(
      await callbackError(kit.browser(), urlOf({ claims: essential(strong) }), "alice"),
      "unmet_authentication_requirements",
    );
    assertEquals(await callbackError(kit.browser(), urlOf({ acr_values: strong }), "alice"), null);
    assertEquals(
      await callbackError(kit.browser(), urlOf({ claims: essential(weak) }), "alice"),
      null,
    );
  });

  const signedInAt = (secondsAgo: number) => {
    const suite = openSuite({
      policies: {
        authenticate: async (form, users) => ({
          user: await users.checkPassword(form),
          authTime: suite.kit.clock.now / 1000 - secondsAgo,
        }),
      },
    });
    return suite;
  };

  it("a policy may know that the user signed in elsewhere before, for auth_time and max_age", async () => {
    const { kit, tokens, urlOf } = signedInAt(100);
    const browser = kit.browser();
    const { id_token } = await tokens({ max_age: "200" }, {}, browser);
    assertEquals(claimsOf(id_token).auth_time, kit.clock.now / 1000 - 100);
    assertMatch((await browser.open(urlOf({ max_age: "50" }))).html, /id="sign-in"/);
  });

  it("no sign-in is of the future, which would be recent enough for every max_age", async () => {
    const { kit, tokens } = signedInAt(-3600);
    assertEquals(claimsOf((await tokens()).id_token).auth_time, kit.clock.now / 1000);
  });

  it("a sign-in at no time is refused", async () => {
    const { kit, urlOf } = signedInAt(NaN);
    const browser = kit.browser();
    const page = await browser.signIn(await browser.open(urlOf()), "alice");
    assertEquals(page.status, 500);
  });

  it("a client's defaults apply if the request has none", async () => {
    const { kit, tokens, urlOf } = openSuite({
      clients: [{ ...suite, defaultAcrValues: [strong], defaultMaxAge: "10s" }],
    });
    const browser = kit.browser();
    assertEquals(claimsOf((await tokens({}, {}, browser)).id_token).acr, strong);
    assertEquals((await browser.open(urlOf())).status, 303);
    kit.clock.advance(11);
    assertMatch((await browser.open(urlOf())).html, /id="sign-in"/);
    assertEquals((await browser.open(urlOf({ max_age: "100" }))).status, 303);
  });

  it("a server without acr values returns none", async () => {
    const { kit, tokens } = openSuite({
      acrValues: [],
      policies: { authenticate: (form, known) => known.checkPassword(form) },
    });
    const { id_token } = await tokens({ acr_values: "1 2" });
    assertEquals(["acr" in claimsOf(id_token), "amr" in claimsOf(id_token)], [false, false]);
    assertEquals("acr_values_supported" in kit.server.context.metadata(), false);
  });
});

describe("Signed userinfo (OpenID Connect Core, section 5.3.2)", () => {
  for (const alg of ["RS256", "ES256", "PS256", "EdDSA"] as const) {
    it(`O06 is a JWT signed with ${alg} for a client that registered so`, async () => {
      const { kit, tokens } = openSuite({
        clients: [{ ...suite, userinfoAlg: alg, idTokenAlg: alg }],
      });
      const { access_token, id_token } = await tokens({ scope: "openid email" });
      const response = await kit.get("/oauth2/userinfo", {
        Authorization: `Bearer ${access_token}`,
      });
      assertEquals(response.headers.get("Content-Type"), "application/jwt");
      assertEquals(response.headers.get("Cache-Control"), "no-store");
      const options = {
        issuer: kit.issuer,
        audience: "suite",
        algorithms: [alg],
        currentDate: new Date(kit.clock.now),
      };
      const { payload } = await jwtVerify(await response.text(), await jwksOf(kit), options);
      assertEquals([payload.sub, payload.email], ["alice", "alice@example.com"]);
      await jwtVerify(id_token, await jwksOf(kit), options);
    });
  }

  it("is no ID token: it cannot be a hint", async () => {
    const { kit, tokens, urlOf } = openSuite({ clients: [{ ...suite, userinfoAlg: "RS256" }] });
    const { access_token } = await tokens();
    const hint = (await kit.userinfo(access_token)).text;
    assertEquals("typ" in decodeProtectedHeader(hint), false);
    assertMatch(
      (await kit.browser().open(urlOf({ id_token_hint: hint }))).url,
      /error=invalid_request/,
    );
  });
});

describe("Pairwise subjects (OpenID Connect Core, section 8)", () => {
  const shared = "https://suite.example/sector.json";
  const pairwise = { ...suite, subjectType: "pairwise" as const };
  const clients = [
    pairwise,
    { ...pairwise, id: "sibling", redirectUris: ["https://suite.example/other"] },
    {
      ...pairwise,
      id: "cousin",
      redirectUris: ["https://cousin.example/cb"],
      sectorIdentifierUri: shared,
    },
    { ...pairwise, id: "stranger", redirectUris: ["https://stranger.example/cb"] },
    { ...suite, id: "open" },
  ];

  async function subjectsAt(
    id: string,
    redirect_uri: string,
    user: string,
    suite = openSuite({ clients }),
  ) {
    const { kit, urlOf, userinfo } = suite;
    const callback = await kit.browser().authorize(urlOf({ client_id: id, redirect_uri }), {
      user,
    });
    const fields = {
      grant_type: "authorization_code",
      code: new URL(callback).searchParams.get("code")!,
      redirect_uri,
    };
    const credentials = { Authorization: `Basic ${btoa(`${id}:suite-secret`)}` };
    const { access_token, id_token, refresh_token } = (await kit.token(fields, credentials)).body;
    const introspect = async (token: string) => (await kit.introspect(token, {}, credentials)).body;
    const [access, refresh] = [await introspect(access_token), await introspect(refresh_token)];
    const told = [
      claimsOf(id_token).sub,
      claimsOf(access_token).sub,
      (await userinfo(access_token)).sub,
      ...hasFeature("introspection") ? [access.sub, refresh.sub] : [],
    ];
    return { told, username: access.username, id_token };
  }

  it("O12 are the same in every token of a client, and reveal nothing about the user", async () => {
    const { told, username } = await subjectsAt("suite", redirectUri, "alice");
    assertEquals(new Set(told).size, 1);
    assertMatch(present(told[0]), /^[\w-]{43}$/);
    assertEquals(username, undefined);
  });

  it("O12 are shared within a sector, and by no one else", async () => {
    const suite = openSuite({ clients });
    const subjectAt = async (id: string, uri: string, user = "alice") =>
      (await subjectsAt(id, uri, user, suite)).told[0];
    const own = await subjectAt("suite", redirectUri);
    assertEquals(await subjectAt("sibling", "https://suite.example/other"), own);
    assertEquals(await subjectAt("cousin", "https://cousin.example/cb"), own);
    assertNotEquals(await subjectAt("stranger", "https://stranger.example/cb"), own);
    assertNotEquals(await subjectAt("suite", redirectUri, "bob"), own);
    assertEquals(await subjectAt("open", redirectUri), "alice");
  });

  it("O12 work as a hint and as a wanted sub", async () => {
    const suite = openSuite({ clients });
    const { told: [subject], id_token } = await subjectsAt("suite", redirectUri, "alice", suite);
    const claims = JSON.stringify({ id_token: { sub: { value: subject } } });
    for (const fields of [{ id_token_hint: id_token }, { claims }]) {
      assertEquals(await callbackError(suite.kit.browser(), suite.urlOf(fields), "alice"), null);
      assertEquals(
        await callbackError(suite.kit.browser(), suite.urlOf(fields), "bob"),
        "login_required",
      );
    }
  });
});
