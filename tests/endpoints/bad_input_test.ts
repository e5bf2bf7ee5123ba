import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe } from "node:test";
import type { Store } from "../../src/server/store/store.ts";
import { clientEndpoints, featureFixtures, fixturesOf, formPaths } from "../features.ts";
import { itWith } from "../support/it_with.ts";
import { type Kit, openKit, read, service } from "../support/kit.ts";
import { failingStore, watchedStore } from "../support/stores.ts";
import type { Tokens } from "../support/wire.ts";

const it = itWith({ withKit: () => openKit() });

const posts = [
  ...clientEndpoints.map((name) => `/oauth2/${name}`),
  ...formPaths,
  ...featureFixtures.flatMap((each) => each.signedInFormPaths ?? []),
];

describe("Bad input", () => {
  for (const path of posts) {
    for (
      const [what, body] of [["malformed percent-encoding", "grant_type=%zz"], [
        "a null character",
        "grant_type=a%00b",
      ], ["bytes that are no UTF-8", "grant_type=%ff"]]
    ) {
      it.withKit(`${path} rejects ${what} with 400`, async (kit) => {
        const headers = { "Content-Type": "application/x-www-form-urlencoded" };
        assertEquals(
          (await kit.request(path, { method: "POST", headers, body: body ?? null })).status,
          400,
        );
      });
    }

    it(`${path} rejects more than 64 kB with 413, even if the header is wrong`, async () => {
      const kit = openKit();
      const body = new ReadableStream({
        pull(controller) {
          controller.enqueue(new TextEncoder().encode("a".repeat(1000)));
        },
      });
      const init = {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body,
        duplex: "half",
      };
      const response = await kit.request(path, init);
      assertEquals([response.status, response.headers.get("Connection")], [413, "close"]);
    });
  }

  it.withKit("takes a body of just 64 kB", async (kit) => {
    const start = `grant_type=client_credentials&${
      ["a", "b", "c"].map((name) => `${name}=${"x".repeat(16 * 1024)}`).join("&")
    }&d=`;
    const body = start + "x".repeat(64 * 1024 - start.length);
    const headers = { ...service, "Content-Type": "application/x-www-form-urlencoded" };
    assertEquals(
      (await kit.request("/oauth2/token", { method: "POST", headers, body: body ?? null })).status,
      200,
    );
    assertEquals(
      (await kit.request("/oauth2/token", { method: "POST", headers, body: `${body}a` })).status,
      413,
    );
  });

  for (const host of ["[::", "a b", "evil.example/path", "a:99999999", "<script>", ""]) {
    it.withKit(`refuses the host '${host}'`, async (kit) => {
      const request = new Request(`${kit.issuer}/health`);
      const strange = {
        method: "GET",
        url: request.url,
        headers: new Headers({ Host: host }),
      } as unknown as Request;
      assertEquals((await kit.server.fetch(strange)).status, 400);
    });
  }

  it("responds to unknown paths with 404, in JSON", async () => {
    const { status, body } = await read(await openKit().get("/nothing/here"));
    assertEquals([status, body.error], [404, "not_found"]);
  });

  it.withKit("survives what a thousand malformed requests make of every endpoint", async (kit) => {
    const pieces = [
      "%",
      "%00",
      "%ff",
      "&&",
      "=",
      "a=b",
      "scope=%20",
      "client_id=demo-spa",
      "🎫",
      "'\"<>",
      "code=",
      "token=..",
      "grant_type=refresh_token",
      "x".repeat(2000),
      "redirect_uri=javascript:x",
      "request_uri=urn:ietf:params:oauth:request_uri:x",
      "request=..",
      "response_mode=.jwt",
      "client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      "client_assertion=e30.e30.",
    ];
    const paths = [
      ...posts,
      "/oauth2/userinfo",
      "/oauth2/jwks",
      "/authorized",
      "/start",
      "/",
      "/oauth2/interaction/x",
      "/oauth2/interaction/x/sign-in",
      "/oauth2/logout/x",
      "/account",
      "/static/x",
    ];
    let random = 1;
    const next = (below: number) => (random = (random * 48271) % 2147483647) % below;
    for (let round = 0; round < 1000; round++) {
      const query = Array.from({ length: next(5) }, () => pieces[next(pieces.length)]).join("&");
      const method = next(2) ? "POST" : "GET";
      const url = `${kit.issuer}${paths[next(paths.length)]}?${query}`;
      const headers: Record<string, string> = {
        "Content-Type":
          ["application/x-www-form-urlencoded", "x", "application/json; charset=%"][next(3)] ?? "",
        Cookie: ["a=b", "=", "hallpass-x-session=%%"][next(3)] ?? "",
      };
      if (next(2)) {
        headers.Authorization =
          ["Basic !!", "Bearer a b", "Basic OjpA", "DPoP x", "Bearer ..", ""][next(6)] ?? "";
      }
      const response = await kit.server.fetch(
        new Request(url, { method, headers, body: method === "POST" ? query : null }),
      );
      assert(response.status < 500, `${method} ${url}: ${response.status}`);
    }
    assertEquals(kit.events.filter(({ type }) => type === "server.failed"), []);
  });
});

describe("A foreign or faulty request", () => {
  it("changes no row", async () => {
    const store = watchedStore();
    const kit = openKit({ store });
    const code = await kit.code();
    const { refresh_token, access_token } = await kit.tokens();
    store.writes.length = 0;
    await kit.redeem(code, { client_id: "demo-cli" });
    await kit.redeem(code, { code_verifier: "a".repeat(50) });
    await kit.redeem(code, { redirect_uri: "https://evil.example" });
    await kit.refresh(refresh_token, { client_id: "demo-cli" });
    await kit.refresh(refresh_token, { scope: "write" });
    for (const token of [access_token, refresh_token, code]) {
      await kit.revoke(token, {}, service);
    }
    await kit.get(`/oauth2/interaction/${code}`);
    assertEquals(store.writes, []);
  });
});

describe("A store that fails", () => {
  const cases: Record<
    string,
    readonly [
      method: keyof Store,
      act: (kit: Kit, tokens: Tokens, code: string) => Promise<{ status: number }>,
    ]
  > = {
    "redeeming a code": ["get", (kit, _, code) => kit.redeem(code)],
    "spending a code": ["consume", (kit, _, code) => kit.redeem(code)],
    "keeping a refresh token": ["add", (kit, _, code) => kit.redeem(code)],
    "refreshing": ["consume", (kit, { refresh_token }) => kit.refresh(refresh_token)],
    ...fixturesOf("storeCalls"),
    "asking for userinfo": ["get", (kit, { access_token }) => kit.userinfo(access_token)],
    "fetching the keys": ["list", (kit) => kit.get("/oauth2/jwks")],
    "opening an interaction": ["get", (kit, _, code) => kit.get(`/oauth2/interaction/${code}`)],
  };
  for (const [what, [method, act]] of Object.entries(cases)) {
    it(`CVE-2020-15223: responds to ${what} with 503 when "${method}" fails`, async () => {
      const store = failingStore();
      const kit = openKit({ store });
      const [tokens, code] = [await kit.tokens(), await kit.code()];
      store.failing.add(method);
      const { status } = await act(kit, tokens, code);
      assertEquals(status, 503);
    });
  }

  it("redirects the error to a client that expects a redirect, without the cause", async () => {
    const store = failingStore();
    const kit = openKit({ store });
    store.failing.add("put");
    const response = await kit.ask();
    assertMatch(response.headers.get("Location")!, /error=temporarily_unavailable/);
    assertNotMatch(response.headers.get("Location")!, /fire/);
  });
});
