import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe } from "node:test";
import { assertion, makeClientKey } from "../../support/client_key.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { makeProof, proofKey } from "../../support/dpop.ts";
import { itWith } from "../../support/it_with.ts";
import { type Fields, type Kit, openKit, spa, web } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { brokenRule, itRefuses, toRows } from "../../support/refusals.ts";

const it = itWith({ inKit: openKit });

/** Returns where a browser is sent with a pushed request. */
function urlOf(
  { issuer }: Kit,
  request_uri: string,
  client_id = "demo-spa",
  more: Record<string, string> = {},
): string {
  return `${issuer}/oauth2/authorize?${new URLSearchParams({ client_id, request_uri, ...more })}`;
}

/** Pushes a request, and returns where a browser is sent with it. */
async function pushedUrl(kit: Kit, changes?: Fields): Promise<string> {
  return urlOf(kit, (await kit.push(changes)).body.request_uri);
}

async function proofFor({ issuer, clock: { now } }: Kit, path: string, key = "ES256") {
  return { DPoP: await makeProof(await proofKey(key), "POST", issuer + path, { now }) };
}

describe("Pushing an authorization request (RFC 9126, section 2)", () => {
  it.inKit("returns a request_uri that cannot be guessed, and its lifetime (OAuch PAR: entropy)", async (kit) => {
    const [one, other] = [await kit.push(), await kit.push()];
    assertEquals([one.status, one.body.expires_in], [201, 300]);
    assertEquals(one.headers.get("Cache-Control"), "no-store");
    assertMatch(one.body.request_uri, /^urn:ietf:params:oauth:request_uri:[\w-]{43}$/);
    assertNotEquals(one.body.request_uri, other.body.request_uri);
  });

  it.inKit("T15 can be done by scripts", async (kit) => {
    const preflight = await kit.request("/oauth2/par", { method: "OPTIONS" });
    assertEquals(preflight.status, 204);
    assertEquals((await kit.push()).headers.get("Access-Control-Allow-Origin"), "*");
  });

  it.inKit("emits an event with the client", async (kit) => {
    await kit.push({ client_id: undefined }, web);
    const pushed = kit.events.filter((event) => event.type === "request.pushed");
    assertEquals(pushed.map(({ client }) => client), ["demo-web"]);
  });

  const unchallenged = { code_challenge: undefined, code_challenge_method: undefined };
  const refused: Record<string, [rule: string, changes: Fields, headers?: typeof web]> = {
    "T10 no authentication of a client that has a secret": ["client.authenticated", {
      client_id: "demo-web",
    }],
    "T07 another client_id than the one that authenticates": ["client.same_id", {}, web],
    "a request_uri (par-authorization-request-containing-request_uri-form-param)": [
      "par.no_request_uri",
      { request_uri: "urn:ietf:params:oauth:request_uri:x" },
    ],
    "A04 a parameter twice": ["form.unique", { nonce: ["a", "b"] }],
    "A20 no code_challenge (par-ensure-pkce-required)": ["challenge.present", unchallenged],
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
    "no authorization details": ["details.list", { authorization_details: "[]" }],
    "a request object of a client without keys": ["request.absent", { request: "e30." }],
    "an id_token_hint that is none": ["id_token_hint.known", { id_token_hint: "x" }],
  };
  itRefuses(
    toRows(refused, ([rule, changes, headers]) => [rule, (kit) => kit.push(changes, headers)]),
  );
  itRefuses({
    "dpop-negative-tests: a bad proof at the PAR endpoint": [
      "dpop.htu",
      async (kit) => kit.push({}, await proofFor(kit, "/oauth2/token")),
    ],
  });

  it("T08 stops guesses at secrets", async () => {
    const kit = openKit({ guessesPerMinute: 2 });
    kit.address = "192.0.2.1";
    const guess = async () =>
      (await kit.push({ client_id: "demo-web", client_secret: "x" })).status;
    assertEquals([await guess(), await guess(), await guess()], [401, 401, 429]);
  });

  it("M8: does not count for storage if its client has authenticated", async () => {
    const kit = openKit({ storedBytesPerMinute: 4000 });
    kit.address = "192.0.2.66";
    for (let n = 0; n < 50; n++) {
      assertEquals((await kit.push({ client_id: undefined }, web)).status, 201);
    }
  });

  it.inKit("responds with 503 and issues nothing when the store fails", async (kit) => {
    kit.server.context.settings.store.put = () => Promise.reject(new Error("no disk"));
    const { status, body } = await kit.push();
    assertEquals([status, body.request_uri], [503, undefined]);
  });

  it("takes every way to authenticate", async () => {
    const key = await makeClientKey();
    const jwks = { keys: [key.publicJwk] };
    const kit = openKit({ clients: [spa({ id: "robot", jwks })] });
    const asked = { client_id: "robot", ...await assertion(kit, "robot", key) };
    assertEquals((await kit.push(asked)).status, 201);
  });
});

describe("A nonce instead of PKCE in a pushed request (RFC 9126, section 2.1)", () => {
  const unchallenged = { code_challenge: undefined, code_challenge_method: undefined };
  const nonce = "a-nonce-that-cannot-be-guessed";
  const push = (kit: Kit, changes: Fields) =>
    kit.push({ client_id: undefined, scope: "openid", ...unchallenged, ...changes }, web);

  it.inKit("A19 counts if it was pushed", async (kit) => {
    const { body: { request_uri } } = await push(kit, { nonce });
    const code = await kit.code({ client_id: "demo-web", request_uri, nonce: undefined });
    const fields = { client_id: undefined, code_verifier: undefined };
    assertEquals((await kit.redeem(code, fields, web)).status, 200);
  });

  it.inKit("A19 is missed at the push, so that none beside the request_uri could replace it", async (kit) => {
    const refused = [await push(kit, {}), await push(kit, { nonce, scope: "read" })];
    assertEquals(refused.map(({ status }) => status), [400, 400]);
    assertEquals(brokenRule(kit), "challenge.or_nonce");
  });
});

describe("A pushed request at the authorization endpoint (RFC 9126, section 4)", () => {
  it("begins at the back channel, and the browser continues with it at the front channel", async () => {
    const frontChannelUrl = "http://localhost:9000";
    const kit = openKit({ issuer: "http://hallpass:9000", frontChannelUrl });
    const url = await pushedUrl(kit, { redirect_uri: `${frontChannelUrl}/authorized` });
    const opened = url.replace(kit.issuer, frontChannelUrl);
    assertEquals((await kit.server.fetch(new Request(opened))).status, 303);
  });

  it.inKit("may have authorization details (RFC 9396)", async (kit) => {
    const files = { type: "file_access", actions: ["read"], path: "/photos", recursive: true };
    const authorization_details = JSON.stringify([files]);
    const { body: { request_uri } } = await kit.push({ authorization_details });
    const { body } = await kit.redeem(await kit.code({ request_uri }));
    assertEquals(body.authorization_details, [files]);
  });

  it("is named by the events of each request that concerns it, by an id that is no part of it", async () => {
    const seen: Array<string | undefined> = [];
    const kit = openKit({
      onEvent: (event, request) =>
        event.type === "request.handled" && request && seen.push(request.pushedRequest),
    });
    const url = await pushedUrl(kit);
    await kit.browser().authorize(url);
    const [id = ""] = seen;
    assert(id !== "" && !url.includes(id));
    assertEquals([seen.length > 2, seen.filter((each) => each !== id)], [true, []]);
  });

  it.inKit("can be loaded again until it is completed, and not after (par-ensure-reused-request-uri-prior-to-auth-completion-succeeds)", async (kit) => {
    const browser = kit.browser();
    const url = await pushedUrl(kit);
    await browser.open(url);
    assertMatch((await browser.open(url)).html, /id="sign-in"/);
    assertMatch(await browser.authorize(url), /code=/);
    const again = await browser.open(url);
    assertEquals(again.status, 400);
    assertMatch(again.html, /already completed/);
    assertEquals((await kit.browser().open(url)).status, 400);
  });

  it.inKit("gives one code to a user who need not be asked (RFC 9126, section 7.3)", async (kit) => {
    const browser = kit.browser();
    await browser.authorize(kit.authorizationUrl());
    const url = await pushedUrl(kit);
    const [first, second] = [await browser.request(url), await browser.request(url)];
    assertMatch(`${first.headers.get("Location")}`, /[?&]code=/);
    assertEquals([second.status, second.headers.get("Location")], [400, null]);
  });

  it.inKit("gives one code, however many pages are open (OAuch PAR: revoked after use)", async (kit) => {
    const url = await pushedUrl(kit);
    const [one, other] = [kit.browser(), kit.browser()];
    const sent = async (browser: typeof one) => await browser.signIn(await browser.open(url));
    const [mine, theirs] = [await sent(one), await sent(other)];
    assertEquals((await one.decide(mine)).status, 303);
    assertEquals((await other.decide(theirs)).status, 400);
  });

  it("can be completed long after it was started, even if it could be started only briefly", async () => {
    const kit = openKit({ lifetimes: { pushedRequest: "30s" } });
    const browser = kit.browser();
    const page = await browser.open(await pushedUrl(kit));
    kit.clock.advance(3000);
    const consent = await browser.signIn(page);
    assertMatch((await browser.decide(consent)).url, /code=/);
  });

  const pages: Record<string, [url: (kit: Kit, requestUri: string) => string, seconds?: number]> = {
    "of another client (OAuch PAR: client binding)": [(kit, uri) => urlOf(kit, uri, "demo-web")],
    "that has expired (OAuch PAR: timeout)": [urlOf, 300],
    "that no client pushed": [(kit) => urlOf(kit, "urn:ietf:params:oauth:request_uri:x")],
    "with a letter more": [(kit, uri) => urlOf(kit, `${uri}a`)],
    "with a letter less": [(kit, uri) => urlOf(kit, uri.slice(0, -1))],
    "named twice": [(kit, uri) => `${urlOf(kit, uri)}&request_uri=${uri}`],
    "of an unknown client": [(kit, uri) => urlOf(kit, uri, "nobody")],
  };
  for (const [what, [url, seconds = 0]] of Object.entries(pages)) {
    it.inKit(`shows a page for a request_uri ${what}`, async (kit) => {
      const { body } = await kit.push();
      kit.clock.advance(seconds);
      const page = await kit.browser().open(url(kit, body.request_uri));
      assertEquals([page.status, page.headers.get("Location")], [400, null]);
    });
  }

  it.inKit("counts alone: parameters beside it in the URI do not (state-only-outside-request-object-not-used)", async (kit) => {
    const { body: { request_uri } } = await kit.push({ state: undefined, scope: "read" });
    const outside = { state: "s", scope: "openid", redirect_uri: "https://evil.example/" };
    const url = urlOf(kit, request_uri, "demo-spa", outside);
    const { origin, searchParams } = new URL(await kit.browser().authorize(url));
    assertEquals([origin, searchParams.has("state")], ["https://hallpass.test", false]);
    assertEquals((await kit.redeem(present(searchParams.get("code")))).body.scope, "read");
  });

  it.inKit("can be brought by POST", async (kit) => {
    const { body: { request_uri } } = await kit.push();
    const fields = { client_id: "demo-spa", request_uri };
    const { headers } = await kit.post("/oauth2/authorize", fields);
    const { html } = await kit.browser().open(kit.issuer + headers.get("Location"));
    assertMatch(html, /id="sign-in"/);
  });

  it.inKit("is stored under its hash alone", async (kit) => {
    const handle = (await kit.push()).body.request_uri.replace(/^.*:/, "");
    const rows = await kit.server.context.settings.store.list("pushed-request");
    assertEquals(rows.length, 1);
    assert(!JSON.stringify(rows).includes(handle));
  });
});

describe("A client that must push its requests (RFC 9126, section 6)", () => {
  const settings = {
    "by itself": { clients: [spa({ requirePar: true })] },
    "like all": { requirePar: true },
  };
  for (const [who, config] of Object.entries(settings)) {
    it(`${who}: is refused what comes in the open (ensure-unsigned-authorization-request-without-using-par-fails)`, async () => {
      const kit = openKit(config);
      const post = kit.post("/oauth2/authorize", kit.parameters());
      for (const { headers } of [await kit.ask(), await post]) {
        const { searchParams } = new URL(present(headers.get("Location")));
        assertEquals(searchParams.get("error"), "invalid_request");
      }
    });

    it(`${who}: is given a code for what was pushed`, async () => {
      const kit = openKit(config);
      assertMatch(await kit.browser().authorize(await pushedUrl(kit)), /code=/);
    });
  }

  it("learns of it from the metadata, where it is true of all", async () => {
    const { require_pushed_authorization_requests } = await openKit({ requirePar: true })
      .metadata();
    assertEquals(require_pushed_authorization_requests, true);
  });

  it("cannot be an exception if the server requires it of every client", () => {
    const clients = [spa({ requirePar: false })];
    assertEquals(problemsOf({ issuer: "https://id.example", requirePar: true, clients }), [
      "clients[0].requirePar is false, but the server requires it of every client",
    ]);
  });
});
