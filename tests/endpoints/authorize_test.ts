import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe } from "node:test";
import { itWith } from "../support/it_with.ts";
import { challenge, type Fields, openKit, spa } from "../support/kit.ts";
import { ask, itRefuses, toRows } from "../support/refusals.ts";

const it = itWith({ withKit: () => openKit() });

/** What an authorization request leads to, before anybody signs in. */
async function send(changes: Fields, kit = openKit()) {
  const response = await kit.ask(changes);
  const location = response.headers.get("Location");
  const callback = location?.startsWith("https://hallpass.test/authorized")
    ? new URL(location).searchParams
    : undefined;
  return { response, location, callback, error: callback?.get("error") ?? undefined };
}

describe("The authorization endpoint, before the redirect URI is trusted (OAuth 2.1, section 4.1.2.1)", () => {
  const pages: Record<string, [rule: string, changes: Fields]> = {
    "A11 no client_id": ["client_id.present", { client_id: undefined }],
    "A05 A11 an empty client_id": ["client_id.present", { client_id: "" }],
    "A11 an unknown client_id": ["client.known", { client_id: "nobody" }],
    "A06 A11 a client_id in other letters": ["client.known", { client_id: "Demo-Spa" }],
    "A15 O01 no redirect_uri, though only one is registered": ["redirect_uri.present", {
      redirect_uri: undefined,
    }],
    "A05 A15 an empty redirect_uri": ["redirect_uri.present", { redirect_uri: "" }],
    "A11 a redirect_uri of another site": ["redirect_uri.registered", {
      redirect_uri: "https://evil.example/authorized",
    }],
    "A13 a redirect_uri with a query added": ["redirect_uri.registered", {
      redirect_uri: "https://hallpass.test/authorized?x",
    }],
    "A13 a redirect_uri in other letters": ["redirect_uri.registered", {
      redirect_uri: "https://hallpass.test/Authorized",
    }],
    "A18 javascript": ["redirect_uri.registered", { redirect_uri: "javascript:alert(1)" }],
    "A04 redirect_uri twice": ["form.unique", {
      redirect_uri: ["https://hallpass.test/authorized", "https://hallpass.test/authorized"],
    }],
    "A04 client_id twice": ["form.unique", { client_id: ["demo-spa", "demo-spa"] }],
    "A04 state twice": ["form.unique", { state: ["a", "a"] }],
    "A27 a state with a line end, which a form could not give back": ["state.text", {
      state: "a\nb",
    }],
  };
  itRefuses(toRows(pages, ([rule, changes]) => [rule, ask(changes)]));

  for (const path of ["/cb%3Fcode%3Devil", "/authorized/..;/x", "/%2e%2e/authorized"]) {
    const uri = `https://hallpass.test${path}`;
    it(`RedirectUriConfusion: does not follow ${uri}`, async () => {
      assertEquals((await send({ redirect_uri: uri })).location, null);
    });
  }

  it("A39 shows hostile parameters as text", async () => {
    const { response } = await send({ client_id: "<script>alert(1)</script>" });
    assertNotMatch(await response.text(), /<script>alert/);
  });
});

const withoutChallenge: Fields = { code_challenge: undefined, code_challenge_method: undefined };

describe("The authorization endpoint, once the redirect URI is trusted (OAuth 2.1, section 4.1.2.1)", () => {
  const refusals: Record<string, [rule: string, changes: Fields]> = {
    "A09 no response_type": ["response_type.present", { response_type: undefined }],
    "A05 A09 an empty response_type": ["response_type.present", { response_type: "" }],
    "A09 B07 response_type=token": ["response_type.code", { response_type: "token" }],
    "A09 response_type=id_token token": ["response_type.code", { response_type: "id_token token" }],
    "A10 response_type=code id_token": ["response_type.code", { response_type: "code id_token" }],
    "A06 response_type=CODE": ["response_type.code", { response_type: "CODE" }],
    "A20 B06 no code_challenge": ["challenge.present", {
      code_challenge: undefined,
      code_challenge_method: undefined,
    }],
    "A05 A20 an empty code_challenge (CVE-2023-48228)": ["challenge.with_method", {
      code_challenge: "",
    }],
    "A19 A20 B03 neither code_challenge nor nonce from a confidential client": [
      "challenge.or_nonce",
      { client_id: "demo-web", ...withoutChallenge, nonce: undefined },
    ],
    "A19 B18 a nonce that can be guessed": [
      "challenge.or_nonce",
      { client_id: "demo-web", ...withoutChallenge, nonce: "a".repeat(15) },
    ],
    "A19 B18 a nonce without an ID token": [
      "challenge.or_nonce",
      { client_id: "demo-web", ...withoutChallenge, nonce: "a".repeat(16), scope: "read" },
    ],
    "A19 a nonce instead of a code_challenge from a public client": ["challenge.present", {
      ...withoutChallenge,
      nonce: "a".repeat(16),
    }],
    "A21 no code_challenge_method": ["challenge.method_present", {
      code_challenge_method: undefined,
    }],
    "A22 code_challenge_method=plain": ["challenge.method", { code_challenge_method: "plain" }],
    "A23 a method without a challenge": ["challenge.with_method", { code_challenge: undefined }],
    "A22 code_challenge_method=S512": ["challenge.method", { code_challenge_method: "S512" }],
    "A22 code_challenge_method=s256": ["challenge.method", { code_challenge_method: "s256" }],
    "A23 42 characters": ["challenge.form", { code_challenge: challenge.slice(1) }],
    "A23 44 characters": ["challenge.form", { code_challenge: `${challenge}a` }],
    "A23 padding": ["challenge.form", { code_challenge: `${challenge.slice(1)}=` }],
    "A23 standard base64": ["challenge.form", { code_challenge: `${challenge.slice(1)}+` }],
    "A24 an unknown scope": ["scope.allowed", { scope: "openid admin" }],
    "A24 two spaces in the scope": ["scope.form", { scope: "openid  read" }],
    "A04 scope twice": ["form.unique", { scope: ["read", "read"] }],
    "A04 nonce twice": ["form.unique", { nonce: ["a", "b"] }],
    "A04 code_challenge twice": ["form.unique", { code_challenge: [challenge, challenge] }],
    "A04 an unknown parameter twice": ["form.unique", { whatever: ["a", "b"] }],
    "O02 prompt=none login": ["prompt.none_alone", { prompt: "none login" }],
    "O02 prompt=unheard": ["prompt.known", { prompt: "unheard" }],
    "O03 prompt=none without a session": ["prompt.none_sign_in", { prompt: "none" }],
    "max_age=soon": ["max_age.number", { max_age: "soon" }],
    "max_age=-1": ["max_age.number", { max_age: "-1" }],
    "O02 request": ["request.absent", { request: "e30." }],
    "O02 request_uri": ["request_uri.absent", { request_uri: "https://app.example/r" }],
    "O02 registration": ["registration.absent", { registration: "{}" }],
    "a resource with a fragment (RFC 8707)": ["resource.form", {
      resource: "https://api.example/#a",
    }],
    "response_mode=web_message": ["response_mode.allowed", { response_mode: "web_message" }],
    "response_mode=fragment, which the client does not list": ["response_mode.allowed", {
      response_mode: "fragment",
    }],
  };
  itRefuses(toRows(refusals, ([rule, changes]) => [rule, ask(changes)]));

  it("A40 describes the error in the characters that are allowed", async () => {
    const { callback } = await send({ code_challenge_method: 'p"l\\äin' });
    assertMatch(callback!.get("error_description")!, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  it("names the setting that allows a response_mode, for client developers", async () => {
    for (const [response_mode, named] of [["fragment", true], ["web_message", false]] as const) {
      const { callback } = await send({ response_mode });
      assertEquals(callback!.get("error_description")!.includes("Received: fragment."), named);
    }
  });

  it.withKit("A08 B19 redirects the error of a configured client before a sign-in: a stated deviation", async (kit) => {
    const { error } = await send({ scope: "admin" }, kit);
    assertEquals(error, "invalid_scope");
  });

  it("A26 sends no state where none was sent", async () => {
    const { callback } = await send({ state: undefined, response_type: "token" });
    assertEquals(callback?.has("state"), false);
  });

  it("A05 A26 takes an empty state for none", async () => {
    const { callback } = await send({ state: "", response_type: "token" });
    assertEquals(callback?.has("state"), false);
  });

  it("refuses the code grant to a client that may not use it", async () => {
    const kit = openKit({ clients: [spa({ grantTypes: ["refresh_token"] })] });
    assertEquals((await send({}, kit)).error, "unauthorized_client");
  });

  it("A41 reports a failure of the server as server_error", async () => {
    const kit = openKit({ now: undefined });
    kit.server.context.records.interactions.put = () => Promise.reject(new Error("a bug"));
    const { error, callback } = await send({}, kit);
    assertEquals(error, "server_error");
    assertNotMatch(String(callback), /bug/);
  });

  it("puts the error into the form with form_post (Form Post Response Mode)", async () => {
    const { response } = await send({ response_mode: "form_post", scope: "admin" });
    const html = await response.text();
    assertMatch(
      html,
      /<form id="form-post" method="post" action="https:\/\/hallpass.test\/authorized">/,
    );
    assertMatch(html, /name="error" value="invalid_scope"/);
  });
});

describe("The authorization endpoint with a request in order", () => {
  const accepted: Array<[what: string, changes: Fields]> = [
    ["A19 as it is, with an S256 challenge (RFC 7636, section 4.3)", {}],
    ["A03 an unknown parameter", { extra: "foobar" }],
    ["O02 nonce, display, ui_locales, claims_locales, acr_values, login_hint", {
      nonce: "n",
      display: "popup",
      ui_locales: "de en",
      claims_locales: "de",
      acr_values: "1 2",
      login_hint: "alice",
    }],
    ["O02 prompt=login consent", { prompt: "login consent" }],
    ["max_age=10000", { max_age: "10000" }],
    ["response_mode=query", { response_mode: "query" }],
    ["two resources (RFC 8707)", { resource: ["https://a.example", "https://b.example"] }],
    ["A25 no scope", { scope: undefined }],
    ["A24 scopes in another order", { scope: "read profile openid" }],
  ];
  for (const [what, changes] of accepted) {
    it(`${what}: leads to the sign-in page`, async () => {
      const { response, location } = await send(changes);
      assertEquals(response.status, 303);
      assertMatch(location!, /^\/oauth2\/interaction\/[\w-]{43}(?:\?ui_locales=de\+en)?$/);
    });
  }

  it("needs no response_mode, even of a client that lists only form_post", async () => {
    const redirectUris = ["https://hallpass.test/authorized"];
    const kit = openKit({ clients: [{ id: "app", redirectUris, responseModes: ["form_post"] }] });
    const { location } = await send({ client_id: "app" }, kit);
    assertMatch(location!, /^\/oauth2\/interaction\//);
  });

  it("A01 O01 takes a POST as well, by way of a GET that brings the cookies along", async () => {
    const kit = openKit();
    const response = await kit.post("/oauth2/authorize", kit.parameters());
    assertEquals(response.status, 303);
    const shown = await kit.browser().open(kit.issuer + response.headers.get("Location"));
    assertMatch(shown.html, /id="sign-in"/);
  });

  it.withKit("treats a faulty POST like a faulty GET", async (kit) => {
    const response = await kit.post("/oauth2/authorize", kit.parameters({ scope: "admin" }));
    assertMatch(response.headers.get("Location")!, /error=invalid_scope/);
  });

  it.withKit("rejects HEAD, which would consume what the GET after it needs", async (kit) => {
    const request = new Request(kit.authorizationUrl(), { method: "HEAD" });
    assertEquals((await kit.server.fetch(request)).status, 405);
  });

  it.withKit("A07 gives scripts nothing: no CORS, not on OPTIONS either", async (kit) => {
    for (const method of ["GET", "OPTIONS"]) {
      const init = { method, headers: { Origin: "https://app.example" } };
      const { headers } = await kit.server.fetch(new Request(kit.authorizationUrl(), init));
      assertEquals(headers.has("Access-Control-Allow-Origin"), false);
    }
  });

  it("A45 B25 appends no fragment", async () => {
    const { location } = await send({ scope: "admin" });
    assert(!location!.includes("#"));
  });
});
