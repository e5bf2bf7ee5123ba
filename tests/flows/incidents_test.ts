import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe } from "node:test";
import { publicPasswords } from "../../src/lab/sign_in/one_click.ts";
import { ConfigError } from "../../src/server/config/problems.ts";
import type { Client } from "../../src/server/model/client.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { itWith } from "../support/it_with.ts";
import {
  basic,
  endToken,
  type Fields,
  type Kit,
  openKit,
  read,
  service,
  spa,
  verifier,
  web,
} from "../support/kit.ts";
import { offerOf } from "../support/offers.ts";
import { present } from "../support/present.ts";
import { watchedStore } from "../support/stores.ts";
import { hasFeature } from "../support/where_feature.ts";

const it = itWith({ withKit: () => openKit() });

/**
 * What was published about peers, and shown not to be so here. More of them stand beside what they
 * concern; `deno task checklist` lists all.
 */

async function ask(
  kit: Kit,
  changes: Fields,
): Promise<{ status: number; location: string | null; page: string }> {
  const response = await kit.ask(changes);
  return {
    status: response.status,
    location: response.headers.get("Location"),
    page: await response.text(),
  };
}

describe("Incidents with redirect URIs", () => {
  const registered = "https://app.example/cb";
  const clients = [{ id: "demo-spa", redirectUris: [registered] }];

  const hostile = [
    "https://app.example/CB",
    "https://APP.example/cb",
    "https://app.example/cb/",
    "https://app.example/cb/../cb",
    "https://app.example/./cb",
    "https://app.example/cb/..;/x",
    "https://app.example/cb?x=1",
    "https://app.example/cb?",
    "https://app.example/cb#",
    "https://app.example/cb%00",
    "https://app.example/cb%2f..%2fevil",
    "https://app.example/%63b",
    "https://app.example:443/cb",
    "https://app.example:8443/cb",
    "https://app.example:80@evil.example/cb",
    "https://user@app.example/cb",
    "https://app.example@evil.example/cb",
    "https://app.example.evil.example/cb",
    "https://appXexample/cb",
    "https://evil.example/https://app.example/cb",
    "https://evil.example\\@app.example/cb",
    "https:\\\\app.example\\cb",
    "https:app.example/cb",
    "https:///app.example/cb",
    "//app.example/cb",
    "/cb",
    "http://app.example/cb",
    "https://app.example/cb\n",
    "https://app.example/\tcb",
    " https://app.example/cb",
    "https://app.example/cb ",
    "https://app.example/cb,https://evil.example",
    "https://app.example/cb%26code=evil",
    "https://xn--pp-yia.example/cb",
    "https://\u0430pp.example/cb",
    "http://[fe80::1%25eth0]/cb",
    "*",
    "https://*.example/cb",
    "javascript:alert(1)//https://app.example/cb",
    "data:text/html,<script>alert(1)</script>",
  ];
  it("CVE-2025-4143 CVE-2020-15234 CVE-2023-6291 CVE-2024-1132 CVE-2024-8883 CVE-2026-3872 CVE-2026-7504, OpenAuth #299: no look-alike is followed", async () => {
    const kit = openKit({ clients });
    for (const redirect_uri of hostile) {
      const { status, location } = await ask(kit, { redirect_uri });
      assertEquals([redirect_uri, status, location], [redirect_uri, 400, null]);
    }
  });

  it("CVE-2024-52289: a registered URI is text, and no pattern", async () => {
    const kit = openKit({
      clients: [{ id: "demo-spa", redirectUris: ["https://app.example/c.b+(x)"] }],
    });
    assertEquals((await ask(kit, { redirect_uri: "https://app.example/cxbb(x)" })).status, 400);
    assertEquals((await ask(kit, { redirect_uri: "https://app.example/c.b+(x)" })).status, 303);
  });

  it("CVE-2026-67333 CVE-2020-26938, workers #80, workers #87: a URI that runs something cannot be registered", async () => {
    for (
      const redirectUri of [
        "javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "JavaScript:alert(1)",
      ]
    ) {
      let refused: unknown;
      try {
        openKit({ clients: [{ id: "demo-spa", redirectUris: [redirectUri] }] });
      } catch (cause) {
        refused = cause;
      }
      assert(refused instanceof ConfigError, redirectUri);
    }
  });

  it.withKit("CVE-2024-25715 CVE-2024-39694 CVE-2024-56734 CVE-2025-27143 CVE-2025-71403 CVE-2019-3778 CVE-2019-11269: no parameter decides where a sign-in leads", async (kit) => {
    const browser = kit.browser();
    const evil = {
      returnUrl: "https://evil.example",
      callbackURL: "https://evil.example",
      return_to: "//evil.example",
      next: "//evil.example",
    };
    const page = await browser.open(kit.authorizationUrl(evil));
    const consent = await browser.submit(page, "sign-in", {
      username: "alice",
      password: "alice",
      ...evil,
    });
    assert(!consent.html.includes("evil.example"));
    assertMatch(
      (await browser.submit(consent, "consent", { decision: "allow", ...evil })).url,
      /^https:\/\/hallpass\.test\/authorized\?/,
    );
  });

  it.withKit("better-auth #11278: a loopback URI comes back as it was sent, the name and the address apart", async (kit) => {
    const changes = { client_id: "demo-cli", redirect_uri: "http://127.0.0.1:4711/callback" };
    assertMatch(
      await kit.browser().authorize(kit.authorizationUrl(changes)),
      /^http:\/\/127\.0\.0\.1:4711\/callback\?/,
    );
  });

  it("workers #92: a client that was changed while its user signed in is not redirected to", async () => {
    const store = memoryStore();
    const kit = openKit({ store, clients: [] });
    const { toClient } = await import("../../src/server/config/make_client.ts");
    const scopes = { openid: "Sign in", profile: "Profile", read: "Read" };
    const offer = offerOf({ scopes });
    const client = await toClient({ id: "demo-spa", redirectUris: [registered] }, offer);
    const keep = (value: Client) => store.put("client", "demo-spa", { value, expiresAt: 8.64e15 });
    await keep(client);
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl({ redirect_uri: registered }));
    const consent = await browser.signIn(page);
    await keep({ ...client, redirectUris: ["https://app.example/other"] });
    assertEquals((await browser.decide(consent)).status, 400);
  });
});

describe("Incidents with PKCE", () => {
  it("CVE-2025-4144: an empty challenge is none, and a verifier for it is worth nothing", async () => {
    const { location } = await ask(openKit(), { code_challenge: "" });
    assertMatch(location ?? "", /error=invalid_request/);
  });

  it("hevy-mcp #682: a method without a challenge makes no unprotected code", async () => {
    const pkce = "optional" as const;
    const clients = [spa({ secret: "s", pkce })];
    const { location } = await ask(openKit({ clients }), {
      code_challenge: undefined,
      code_challenge_method: "S256",
    });
    assertMatch(location ?? "", /error=invalid_request/);
  });

  it.withKit("CVE-2023-48228 CVE-2024-23647, Hydra source: wrong, then none, then empty are all refused, and the right one still works", async (kit) => {
    const code = await kit.code();
    for (const code_verifier of ["x".repeat(43), undefined, "", verifier.slice(1)]) {
      assertEquals((await kit.redeem(code, { code_verifier })).body.error, "invalid_grant");
    }
    assertEquals((await kit.redeem(code)).status, 200);
  });

  it("CVE-2026-67336: neither the plain method nor unsigned tokens are on offer", async () => {
    const { body } = await read(await openKit().get("/.well-known/openid-configuration"));
    assertEquals(body.code_challenge_methods_supported, ["S256"]);
    assert(!body.id_token_signing_alg_values_supported.includes("none"));
  });

  it("ts-oauth2-server ADR 0009: a row that lost its challenge redeems nothing that comes with a verifier", async () => {
    const store = memoryStore();
    const kit = openKit({ store });
    const code = await kit.code();
    const [id, row] = present((await store.list("code"))[0]);
    await store.put("code", id, {
      ...row,
      value: { ...row.value as object, codeChallenge: undefined },
    });
    assertEquals((await kit.redeem(code)).status, 400);
  });
});

describe("Incidents with codes and refresh tokens", () => {
  it.withKit("CVE-2026-53512 CVE-2026-53517: a refresh token needs its client, and a race forks nothing", async (kit) => {
    const code = await kit.code({ client_id: "demo-web" });
    const { body: { refresh_token } } = await kit.redeem(code, {}, web);
    assertEquals((await kit.refresh(refresh_token, { client_id: "demo-web" })).status, 401);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => kit.refresh(refresh_token, {}, web)),
    );
    assertEquals(answers.filter(({ status }) => status === 200).length, 1);
    const won = answers.find(({ status }) => status === 200)!.body.refresh_token;
    assertEquals((await kit.refresh(won, {}, web)).body.error, "invalid_grant");
  });

  it("CVE-2026-50631 CVE-2026-68079: a code is used once, though many ask at once", async () => {
    const kit = openKit();
    const code = await kit.code();
    const answers = await Promise.all(Array.from({ length: 8 }, () => kit.redeem(code)));
    assertEquals(answers.filter(({ status }) => status === 200).length, 1);
  });

  it("CVE-2026-9802: what was revoked stays revoked for the next process on the same store", async () => {
    const store = memoryStore();
    const kit = openKit({ store });
    const { refresh_token, access_token } = await kit.tokens();
    await endToken(kit, refresh_token);
    const next = openKit({ store });
    assertEquals((await next.refresh(refresh_token)).body.error, "invalid_grant");
    assertEquals((await next.userinfo(access_token)).status, 401);
  });

  it("workers #225 #188: an attempt with another client's code or token changes no row", async () => {
    const store = watchedStore();
    const kit = openKit({ store });
    const code = await kit.code();
    const { refresh_token } = await kit.tokens();
    store.writes.length = 0;
    await kit.redeem(code, {}, web);
    await kit.refresh(refresh_token, {}, web);
    await kit.revoke(refresh_token, {}, web);
    assertEquals(store.writes, []);
  });

  if (hasFeature("introspection")) {
    it("CVE-2026-8922: introspection and userinfo agree about a token whose user is gone", async () => {
      const store = memoryStore();
      const kit = openKit({ store });
      const passwordHash = await publicPasswords.hash("dora");
      const dora = { name: "dora", subject: "dora", claims: {}, passwordHash, disabled: false };
      await store.put("user", "dora", { value: dora, expiresAt: 8.64e15 });
      const { access_token } = await kit.tokens({}, { user: "dora" });
      await store.delete("user", "dora");
      assertEquals((await kit.introspect(access_token, {}, service)).body, { active: false });
      assertEquals((await kit.userinfo(access_token)).status, 401);
    });
  }

  it.withKit("workers #78: every character of a secret is as likely as any other", async (kit) => {
    const counts = new Map<string, number>();
    for (let made = 0; made < 60; made++) {
      // The last character of 43 has only four bits.
      for (const character of (await kit.code()).slice(0, -1)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    assertEquals(counts.size, 64);
    const expected = 60 * 42 / 64;
    const squares = [...counts.values()].map((count) => (count - expected) ** 2 / expected);
    // Chi-squared with 63 degrees of freedom: above 150 once in 10^8 runs. If a modulo doubled half
    // of the characters, it would be about 340.
    assert(squares.reduce((sum, square) => sum + square) < 150, JSON.stringify([...counts]));
  });
});

describe("Incidents with client authentication and scopes", () => {
  it("workers #50: Basic credentials are form-decoded", async () => {
    const kit = openKit({ clients: [{ id: "a:b c", secret: "p%/+ ü", scopes: ["read"] }] });
    assertEquals(
      (await kit.token({ grant_type: "client_credentials" }, basic("a:b c", "p%/+ ü"))).status,
      200,
    );
  });

  if (hasFeature("introspection", "revocation")) {
    it.withKit("ts-oauth2-server changelog: nothing is read from a token before its signature was verified", async (kit) => {
      const { access_token } = await kit.tokens();
      const [header, , signature] = access_token.split(".");
      const claims = {
        iss: kit.issuer,
        sub: "carol",
        aud: kit.issuer,
        client_id: "demo-service",
        scope: "openid",
        exp: 9e9,
        iat: 1,
        jti: "x",
      };
      const forged = `${header}.${btoa(JSON.stringify(claims)).replace(/=+$/, "")}.${signature}`;
      assertEquals((await kit.introspect(forged, {}, service)).body, { active: false });
      assertEquals((await kit.revoke(forged, {}, service)).status, 200);
      assertEquals((await kit.userinfo(access_token)).status, 200);
    });
  }

  it("CVE-2024-52287: client credentials get no scope beyond the client's", async () => {
    assertEquals(
      (await openKit().token({ grant_type: "client_credentials", scope: "openid read" }, service))
        .body.error,
      "invalid_scope",
    );
  });

  it.withKit("CVE-2026-67332: a resource that was not granted cannot be added when the code is redeemed", async (kit) => {
    const code = await kit.code({ resource: "https://api.example" });
    assertEquals(
      (await kit.redeem(code, { resource: "https://other.example" })).body.error,
      "invalid_target",
    );
  });
});

describe("Incidents with pages and headers", () => {
  it("CVE-2018-8899 CVE-2025-71404 GO-2026-4861: an error page shows what was sent as text, and runs no script", async () => {
    const response = await openKit().get(
      "/oauth2/authorize?client_id=%3Cscript%3Ealert(1)%3C/script%3E&error_hint=%3Cscript%3E",
    );
    assert(!(await response.text()).includes("<script>"));
    assertMatch(response.headers.get("Content-Security-Policy") ?? "", /script-src 'none'/);
  });

  it("CVE-2026-37977: no origin is taken from a request, and none is echoed", async () => {
    const origin = { Origin: "https://evil.example" };
    const kit = openKit();
    const answers = [
      await kit.post("/oauth2/token", {}, origin),
      await kit.get("/oauth2/userinfo", origin),
      await kit.get("/oauth2/jwks", origin),
    ];
    for (const { headers } of answers) {
      assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
      assertEquals(headers.get("Access-Control-Allow-Credentials"), null);
    }
  });

  it("workers #240: a malformed content type is the client's fault", async () => {
    const { fetch } = openKit().server;
    for (
      const type of [
        "",
        ";",
        "application/",
        "application/x-www-form-urlencoded;charset",
        "\u00e4/\u00f6",
        "x".repeat(2000),
      ]
    ) {
      const request = new Request("https://hallpass.test/oauth2/token", {
        method: "POST",
        body: "a=b",
        headers: { "Content-Type": type },
      });
      assertEquals((await fetch(request)).status < 500, true, type);
    }
  });

  it.withKit("CVE-2026-16100: what is counted and logged of a refusal comes from a list, not from the request", async (kit) => {
    await kit.get("/oauth2/nowhere/at/all?x=<script>");
    await kit.token({ grant_type: "made-up-by-a-stranger" }, service);
    const refusals = kit.events.filter((event) => event.type === "request.refused");
    assertEquals(refusals.map(({ path, error }) => [path, error]), [["unknown", "not_found"], [
      "/oauth2/token",
      "unsupported_grant_type",
    ]]);
  });

  it.withKit("Hydra 2018 #770: a consent cannot be fixed for another user", async (kit) => {
    const [victim, attacker] = [kit.browser(), kit.browser()];
    const planted = await attacker.signIn(await attacker.open(kit.authorizationUrl()), "bob");
    await victim.authorize(kit.authorizationUrl());
    assertEquals((await victim.request(planted.url)).status, 400);
    assertNotEquals([...victim.cookies.values()].join(), [...attacker.cookies.values()].join());
  });
});
