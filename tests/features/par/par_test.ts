import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe, it } from "node:test";
import { assertion, makeClientKey } from "../../support/client_key.ts";
import { makeProof, proofKey } from "../../support/dpop.ts";
import { type Fields, type Kit, openKit, web } from "../../support/kit.ts";
import { itRefuses, type Play, toRows } from "../../support/refusals.ts";

/** Pushes a request with changes. */
function pushing(changes: Fields, headers?: Record<string, string>): Play {
  return (kit) => kit.push(changes, headers);
}

/** Where a browser is sent with a pushed request. */
function urlOf(
  kit: Kit,
  request_uri: string,
  client_id = "demo-spa",
  more: Record<string, string> = {},
): string {
  return `${kit.issuer}/oauth2/authorize?${new URLSearchParams({
    client_id,
    request_uri,
    ...more,
  })}`;
}

describe("Pushing an authorization request (RFC 9126, section 2)", () => {
  it("returns a request_uri that cannot be guessed, and its lifetime (OAuch PAR: entropy)", async () => {
    const kit = openKit();
    const [one, other] = [await kit.push(), await kit.push()];
    assertEquals([one.status, one.headers.get("Cache-Control"), one.body.expires_in], [
      201,
      "no-store",
      300,
    ]);
    assertMatch(one.body.request_uri, /^urn:ietf:params:oauth:request_uri:[\w-]{43}$/);
    assertNotEquals(one.body.request_uri, other.body.request_uri);
  });

  it("T15 can be done by scripts", async () => {
    const kit = openKit();
    const preflight = await kit.request("/oauth2/par", { method: "OPTIONS" });
    assertEquals(
      [preflight.status, (await kit.push()).headers.get("Access-Control-Allow-Origin")],
      [204, "*"],
    );
  });

  it("emits an event", async () => {
    const kit = openKit();
    await kit.push();
    assert(
      kit.events.some((event) => event.type === "request.pushed" && event.client === "demo-spa"),
    );
  });

  describe("is refused at once with", () => {
    const refused: Record<string, [rule: string, changes: Fields]> = {
      "T10 no authentication of a client that has a secret": ["client.authenticated", {
        client_id: "demo-web",
      }],
      "a request_uri (par-authorization-request-containing-request_uri-form-param)": [
        "par.no_request_uri",
        { request_uri: "urn:ietf:params:oauth:request_uri:x" },
      ],
      "A04 a parameter twice": ["form.unique", { nonce: ["a", "b"] }],
      "A20 no code_challenge (par-ensure-pkce-required)": ["challenge.present", {
        code_challenge: undefined,
        code_challenge_method: undefined,
      }],
      "A22 code_challenge_method=plain (par-plain-pkce-rejected)": ["challenge.method", {
        code_challenge_method: "plain",
      }],
      "A11 a redirect_uri that is not registered": ["redirect_uri.registered", {
        redirect_uri: "https://evil.example/cb",
      }],
      "A15 no redirect_uri (ensure-redirect-uri-in-authorization-request)": [
        "redirect_uri.present",
        { redirect_uri: undefined },
      ],
      "A09 response_type=token": ["response_type.code", { response_type: "token" }],
      "A24 an unknown scope": ["scope.allowed", { scope: "admin" }],
      "a resource with a fragment": ["resource.form", { resource: "https://api.example/#a" }],
      "a request object of a client without keys": ["request.absent", { request: "e30." }],
      "an id_token_hint that is none": ["id_token_hint.known", { id_token_hint: "x" }],
    };
    itRefuses(toRows(refused, ([rule, changes]) => [rule, pushing(changes)]));
    itRefuses({
      "T07 another client_id than the one that authenticates": ["client.same_id", pushing({}, web)],
    });
  });

  it("is done by POST alone (par-attempt-invalid-http-method)", async () => {
    assertEquals((await openKit().get("/oauth2/par")).status, 405);
  });

  it("T08 stops guesses at secrets", async () => {
    const kit = openKit({ guessesPerMinute: 2 });
    kit.address = "192.0.2.1";
    const guess = async () =>
      (await kit.push({ client_id: "demo-web", client_secret: "x" })).status;
    assertEquals([await guess(), await guess(), await guess()], [401, 401, 429]);
  });

  it("responds with 503 and issues nothing when the store fails", async () => {
    const kit = openKit();
    kit.server.context.settings.store.put = () => Promise.reject(new Error("no disk"));
    const { status, body } = await kit.push();
    assertEquals([status, body.request_uri], [503, undefined]);
  });

  const bindings: Array<
    [what: string, proof: string | undefined, named: string | undefined, status: number]
  > = [
    ["a proof alone (ensure-dpopproof-at-par-endpoint-binding-success)", "ES256", undefined, 201],
    ["a dpop_jkt alone", undefined, "ES256", 201],
    ["a proof and the dpop_jkt of its key", "ES256", "ES256", 201],
    [
      "a proof and the dpop_jkt of another key (ensure-mismatched-dpop-jkt-fails)",
      "ES256",
      "ES256 another",
      400,
    ],
  ];
  for (const [what, proof, named, status] of bindings) {
    it(`responds with ${status} to ${what}`, async () => {
      const kit = openKit();
      const key = proof && await proofKey(proof);
      const headers = key
        ? { DPoP: await makeProof(key, "POST", `${kit.issuer}/oauth2/par`) }
        : undefined;
      const dpop_jkt = named && (await proofKey(named)).jkt;
      const answer = await kit.push({ dpop_jkt }, headers);
      assertEquals(answer.status, status);
      if (status !== 201) return assertEquals(answer.body.error, "invalid_dpop_proof");
      const callback = new URL(await kit.browser().authorize(urlOf(kit, answer.body.request_uri)));
      assertEquals((await kit.redeem(callback.searchParams.get("code")!)).status, 400);
    });
  }

  it("takes every way to authenticate", async () => {
    const key = await makeClientKey();
    const kit = openKit({
      clients: [{
        id: "robot",
        jwks: { keys: [key.publicJwk] },
        redirectUris: ["https://hallpass.test/authorized"],
      }],
    });
    assertEquals(
      (await kit.push({ client_id: "robot", ...await assertion(kit, "robot", key) })).status,
      201,
    );
  });
});

describe("A pushed request at the authorization endpoint (RFC 9126, section 4)", () => {
  it("leads to a code, as any other", async () => {
    const kit = openKit();
    const { body } = await kit.push({ state: "s" });
    const callback =
      new URL(await kit.browser().authorize(urlOf(kit, body.request_uri))).searchParams;
    assertEquals([callback.get("state"), (await kit.redeem(callback.get("code")!)).status], [
      "s",
      200,
    ]);
  });

  it("can be loaded again until it is completed, and not after (par-ensure-reused-request-uri-prior-to-auth-completion-succeeds)", async () => {
    const kit = openKit();
    const browser = kit.browser();
    const url = urlOf(kit, (await kit.push()).body.request_uri);
    await browser.open(url);
    assertMatch((await browser.open(url)).html, /id="sign-in"/);
    assertMatch(await browser.authorize(url), /code=/);
    const again = await browser.open(url);
    assertEquals(again.status, 400);
    assertMatch(again.html, /already completed/);
    assertEquals((await kit.browser().open(url)).status, 400);
  });

  it("gives one code to a user who need not be asked (RFC 9126, section 7.3)", async () => {
    const kit = openKit();
    const browser = kit.browser();
    await browser.authorize(kit.authorizationUrl());
    const url = urlOf(kit, (await kit.push()).body.request_uri);
    const answers = [await browser.request(url), await browser.request(url)];
    assertMatch(`${answers[0]?.headers.get("Location")}`, /[?&]code=/);
    assertEquals([answers[1]?.status, answers[1]?.headers.get("Location")], [400, null]);
  });

  it("gives one code, however many pages are open (OAuch PAR: revoked after use)", async () => {
    const kit = openKit();
    const url = urlOf(kit, (await kit.push()).body.request_uri);
    const [one, other] = [kit.browser(), kit.browser()];
    const sent = async (browser: typeof one) => await browser.signIn(await browser.open(url));
    const [mine, theirs] = [await sent(one), await sent(other)];
    assertEquals((await one.decide(mine)).status, 303);
    assertEquals((await other.decide(theirs)).status, 400);
  });

  it("can be completed long after it was started, even if it could be started only briefly", async () => {
    const kit = openKit({ lifetimes: { pushedRequest: "30s" } });
    const browser = kit.browser();
    const page = await browser.open(urlOf(kit, (await kit.push()).body.request_uri));
    kit.clock.advance(3000);
    const consent = await browser.signIn(page);
    assertMatch((await browser.decide(consent)).url, /code=/);
  });

  const pages: Record<string, [url: (kit: Kit, requestUri: string) => string, seconds?: number]> = {
    "of another client (…-for-different-client; OAuch PAR: client binding)": [
      (kit, uri) => urlOf(kit, uri, "demo-web"),
    ],
    "that has expired (par-attempt-to-use-expired-request_uri; OAuch PAR: timeout)": [urlOf, 300],
    "that no client pushed": [(kit) => urlOf(kit, "urn:ietf:params:oauth:request_uri:x")],
    "with a letter more": [(kit, uri) => urlOf(kit, `${uri}a`)],
    "with a letter less": [(kit, uri) => urlOf(kit, uri.slice(0, -1))],
    "named twice": [(kit, uri) => `${urlOf(kit, uri)}&request_uri=${uri}`],
    "of an unknown client": [(kit, uri) => urlOf(kit, uri, "nobody")],
  };
  for (const [what, [url, seconds = 0]] of Object.entries(pages)) {
    it(`shows a page for a request_uri ${what}`, async () => {
      const kit = openKit();
      const { body } = await kit.push();
      kit.clock.advance(seconds);
      const page = await kit.browser().open(url(kit, body.request_uri));
      assertEquals([page.status, page.headers.get("Location")], [400, null]);
    });
  }

  it("counts alone: parameters beside it in the URI do not (state-only-outside-request-object-not-used)", async () => {
    const kit = openKit();
    const { body } = await kit.push({ state: undefined, scope: "read" });
    const url = urlOf(kit, body.request_uri, "demo-spa", {
      state: "outside",
      scope: "openid",
      redirect_uri: "https://evil.example/",
    });
    const callback = new URL(await kit.browser().authorize(url));
    assertEquals([callback.origin, callback.searchParams.has("state")], [
      "https://hallpass.test",
      false,
    ]);
    assertEquals((await kit.redeem(callback.searchParams.get("code")!)).body.scope, "read");
  });

  it("can be brought by POST", async () => {
    const kit = openKit();
    const { body } = await kit.push();
    const response = await kit.post("/oauth2/authorize", {
      client_id: "demo-spa",
      request_uri: body.request_uri,
    });
    assertMatch(
      (await kit.browser().open(kit.issuer + response.headers.get("Location"))).html,
      /id="sign-in"/,
    );
  });

  it("is stored under its hash alone", async () => {
    const kit = openKit();
    const handle = (await kit.push()).body.request_uri.replace(/^.*:/, "");
    const rows = await kit.server.context.settings.store.list("pushed-request");
    assertEquals(rows.length, 1);
    assert(!JSON.stringify(rows).includes(handle));
  });
});

describe("A client that must push its requests (RFC 9126, section 6)", () => {
  const redirectUris = ["https://hallpass.test/authorized"];
  for (
    const [who, config] of [["by itself", {
      clients: [{ id: "demo-spa", redirectUris, requirePar: true }],
    }], ["like all", {
      requirePar: true,
    }]] as const
  ) {
    it(`${who}: is refused what comes in the open (ensure-unsigned-authorization-request-without-using-par-fails)`, async () => {
      const kit = openKit(config as Parameters<typeof openKit>[0]);
      const response = await kit.ask();
      assertEquals(
        new URL(response.headers.get("Location")!).searchParams.get("error"),
        "invalid_request",
      );
      const byPost = await kit.post("/oauth2/authorize", kit.parameters());
      assertEquals(
        new URL(byPost.headers.get("Location")!).searchParams.get("error"),
        "invalid_request",
      );
    });

    it(`${who}: is given a code for what was pushed`, async () => {
      const kit = openKit(config as Parameters<typeof openKit>[0]);
      const { body } = await kit.push();
      assertMatch(await kit.browser().authorize(urlOf(kit, body.request_uri)), /code=/);
    });
  }
});
