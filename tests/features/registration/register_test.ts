import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { members } from "../../../src/server/features/registration/client_metadata_members.ts";
import { assertion, makeClientKey } from "../../support/client_key.ts";
import { itWith } from "../../support/it_with.ts";
import {
  basic,
  claimsOf,
  type Kit,
  openKit,
  openStrictKit,
  read,
  type ReadResponse,
} from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { itRefuses, type Play, toRows } from "../../support/refusals.ts";
import { initialAccessToken, sendJson } from "../../support/registration.ts";
import { watchedStore } from "../../support/stores.ts";
import { hasFeature } from "../../support/where_feature.ts";
import { withAddress } from "../../support/with_address.ts";

const it = itWith({ inKit: openKit });

const redirect_uris = ["https://app.example/cb"];
const headers = { "Content-Type": "application/json" };
const loopback = { redirect_uris: ["http://127.0.0.1/cb"], token_endpoint_auth_method: "none" };

function register(kit: Kit, metadata: unknown, token?: string): Promise<ReadResponse> {
  return sendJson(kit, "POST", `${kit.issuer}/oauth2/register`, metadata, token);
}

function registering(metadata: unknown): Play {
  return (kit) => register(kit, metadata);
}

/** A client that is registered, and its registration as it would manage it. */
async function registered(kit: Kit, metadata: Record<string, unknown> = { redirect_uris }) {
  const { body } = await register(kit, metadata);
  const manage = (method: string, changes?: unknown, token = body.registration_access_token) =>
    sendJson(kit, method, body.registration_client_uri, changes, token);
  return { ...body, manage };
}

describe("The registration endpoint (RFC 7591)", () => {
  const idpyoidc = { redirect_uris, token_endpoint_auth_signing_alg: "ES256" };
  for (const method of ["client_secret_basic", "client_secret_post", "none", undefined]) {
    it(`I4: leaves out the algorithm of assertions that the client never signs: ${method}`, async () => {
      const metadata = { ...idpyoidc, token_endpoint_auth_method: method };
      const { status, body } = await register(openKit(), metadata);
      assertEquals([status, "token_endpoint_auth_signing_alg" in body], [201, false]);
    });
  }

  it.inKit("stores nothing that makes a server of the version before refuse the client", async (kit) => {
    await register(kit, { redirect_uris });
    const [[, client] = []] = await kit.server.context.records.clients.list();
    // It knows all others, or takes them for settings that ask for nothing.
    assertEquals(client?.consent, undefined);
  });

  it("I4: leaves out texts that are empty", async () => {
    const empty = { client_name: "", client_uri: "", logo_uri: "", policy_uri: "", tos_uri: "" };
    const { status, body } = await register(openKit(), { redirect_uris, ...empty });
    assertEquals([status, Object.keys(empty).filter((name) => name in body)], [201, []]);
  });

  it("J30 returns the authorization grant profiles of the client, and refuses them in another form", async () => {
    const profiles = ["urn:ietf:params:oauth:grant-profile:id-jag"];
    const withProfiles = (value: unknown) =>
      register(openKit(), { redirect_uris, authorization_grant_profiles_supported: value });
    const { status, body } = await withProfiles(profiles);
    assertEquals([status, body.authorization_grant_profiles_supported], [201, profiles]);
    for (const value of [profiles[0], { 0: profiles[0] }, [7]]) {
      assertEquals((await withProfiles(value)).body.error, "invalid_client_metadata");
    }
  });

  it("returns everything that was registered, defaults included", async () => {
    const { status, headers, body } = await register(openKit(), {
      redirect_uris,
      client_name: "App",
      "client_name#de": "Anwendung",
      x: 1,
    });
    assertEquals(status, 201);
    assertEquals(headers.get("Cache-Control"), "no-store");
    assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
    const { client_id, client_secret, registration_access_token, scope, ...rest } = body;
    assertMatch(scope, /^openid /);
    for (const secret of [client_secret, registration_access_token]) {
      assertMatch(secret, /^[\w-]{43}$/);
    }
    assertEquals(rest, {
      registration_client_uri: `https://hallpass.test/oauth2/register/${client_id}`,
      client_id_issued_at: 1767225600,
      client_secret_expires_at: 0,
      redirect_uris,
      client_name: "App",
      application_type: "web",
      token_endpoint_auth_method: "client_secret_basic",
      grant_types: ["authorization_code"],
      response_types: ["code"],
      id_token_signed_response_alg: "RS256",
    });
  });

  it.inKit("returns every scope that a client may have which names none: a default would refuse it 'openid' later", async (kit) => {
    const { body } = await register(kit, { redirect_uris });
    const { scopes_supported } = kit.server.context.metadata();
    assertEquals(body.scope.split(" "), scopes_supported);
    const client = { client_id: body.client_id, redirect_uri: redirect_uris[0] };
    const scopeOf = async (scope: string | undefined) => {
      const code = await kit.code({ ...client, scope });
      const basicHeaders = basic(body.client_id, body.client_secret);
      const fields = { client_id: undefined, redirect_uri: redirect_uris[0] };
      return (await kit.redeem(code, fields, basicHeaders)).body.scope;
    };
    assertEquals(await scopeOf("openid profile"), "openid profile");
    assertEquals((await scopeOf(undefined)).includes("openid"), false);
  });

  it.inKit("makes a client that gets tokens, in the way it registered for and in no other (T10)", async (kit) => {
    const { client_id, client_secret } = await registered(kit);
    const code = () => kit.code({ client_id, redirect_uri: redirect_uris[0] });
    const own = { client_id, redirect_uri: redirect_uris[0] };
    const redeem = async (changes: Record<string, string | undefined>, headers = {}) =>
      await kit.redeem(await code(), { ...own, ...changes }, headers);
    assertEquals((await redeem({}, basic(client_id, client_secret))).status, 200);
    assertEquals((await redeem({ client_secret })).status, 401);
    assertEquals((await redeem({})).status, 401);
  });

  it.inKit("treats a public client with only loopback URIs as native, unless it states otherwise", async (kit) => {
    const native = await register(kit, loopback);
    assertEquals([native.body.application_type, native.body.client_secret], ["native", undefined]);
    const changes = { client_id: native.body.client_id, redirect_uri: "http://127.0.0.1:4711/cb" };
    assert(await kit.code(changes));
    const web = await register(kit, { ...loopback, application_type: "web" });
    assertEquals((await kit.ask({ ...changes, client_id: web.body.client_id })).status, 400);
  });

  it.inKit("A42 issues ids that no client can choose", async (kit) => {
    const { body } = await register(kit, { ...loopback, client_id: "alice" });
    assertMatch(body.client_id, /^[\w-]{22}$/);
  });

  it("A12 accepts redirect URIs whose path is empty, and keeps them as they are", async () => {
    const uris = ["http://localhost:3000", "https://app.example?x=1"];
    const { body } = await register(openKit(), { redirect_uris: uris });
    assertEquals(body.redirect_uris, uris);
  });

  describe("CVE-2026-22752 CVE-2026-59354: refuses", () => {
    const invalidUris: Record<string, [words: string, redirectUris: unknown]> = {
      "A16 oidcc-redirect-uri-regfrag: a fragment": ["fragment", ["https://app.example/cb#x"]],
      "A12 a redirect URI with a wildcard for its path": ["wildcard", ["https://app.example*"]],
      "A17 a private scheme that is no domain": ["reversed domain", ["app:/cb"]],
      "a script for a redirect URI": ["javascript:", ["javascript:alert(1)"]],
      "http beyond loopback": ["not loopback", ["http://app.example/cb"]],
      "a redirect URI that is no text": ["'redirect_uris[0]' must be a string", [5]],
      "redirect URIs that are no list": ["must be a list", "https://app.example/cb"],
    };
    const invalidMembers: Record<string, [words: string, members: object]> = {
      "an implicit response type": ["'id_token'", { response_types: ["id_token"] }],
      "an implicit grant": ["'implicit'", { grant_types: ["authorization_code", "implicit"] }],
      "a response type without its grant": ["response_types", {
        grant_types: ["refresh_token"],
        response_types: ["code"],
      }],
      "an unknown method": ["tls_client_auth", { token_endpoint_auth_method: "tls_client_auth" }],
      "a method that is no text": ["must be a string", { token_endpoint_auth_method: ["none"] }],
      "an unknown scope": ["'all'", { scope: "openid all" }],
      "encrypted ID tokens": ["allowed here: none", {
        id_token_encrypted_response_alg: "RSA-OAEP",
      }],
      "tokens that are bound to a certificate": ["tls_client_certificate_bound", {
        tls_client_certificate_bound_access_tokens: true,
      }],
      "unsigned ID tokens": ["'none'", { id_token_signed_response_alg: "none" }],
      "keys in two places": ["jwks_uri", {
        jwks: { keys: [] },
        jwks_uri: "https://app.example/jwks",
      }],
      "private keys": ["private", { jwks: { keys: [{ kty: "EC", d: "x" }] } }],
      "F5: a line break in the name of a member": ["'jwks.a?b'", { jwks: { keys: [], "a\nb": 1 } }],
      "F5: a line separator in the name of a member": ["'jwks.?'", { jwks: { "\u2028": 1 } }],
      "symmetric keys": ["private or a secret", { jwks: { keys: [{ kty: "oct", k: "x" }] } }],
      "keys without https": ["https", { jwks_uri: "http://app.example/jwks" }],
      "keys on our own machine": ["https", { jwks_uri: "http://localhost/jwks" }],
      "a logo that is a script": ["'logo_uri'", { logo_uri: "javascript:alert(1)" }],
      "a name without an end": ["200", { client_name: "x".repeat(201) }],
      "L6: a name that turns around what follows": ["invisible", { client_name: "App\u202e" }],
      "L6: a name with an invisible character": ["'client_name'", { client_name: "A\u200bpp" }],
      "L6: a name in which nothing can be seen": ["'client_name'", { client_name: "\u3164" }],
      "L6: a contact with a control character": ["'contacts[0]'", { contacts: ["me\u001b"] }],
      "contacts that are no list": ["'contacts'", { contacts: "me" }],
      "half a second": ["whole", { default_max_age: 0.5 }],
      "an application type of its own": ["web, native", { application_type: "tv" }],
    };
    const largeKey = { kty: "RSA", n: "_".repeat(700), e: "AQAB" };
    itRefuses({
      ...toRows(invalidUris, ([words, redirect_uris]) => [
        "registration.redirect_uris",
        registering({ redirect_uris }),
        words,
      ]),
      ...toRows(invalidMembers, ([words, members]) => [
        "registration.metadata",
        registering({ redirect_uris, ...members }),
        words,
      ]),
      "I4: an algorithm that doesn't fit the assertions of the client": [
        "registration.metadata",
        registering({ ...idpyoidc, token_endpoint_auth_method: "client_secret_jwt" }),
      ],
      "I4: an empty scope, which would mean every scope if it were left out": [
        "registration.metadata",
        registering({ redirect_uris, scope: "" }),
      ],
      "a list instead of an object": ["registration.object", registering([]), "a JSON object"],
      "no redirect URI": [
        "registration.redirect_uris",
        registering({}),
        "'redirect_uris' is empty",
      ],
      "Q5: keys that only trusted clients may have": [
        "registration.metadata",
        registering({ redirect_uris, jwks: { keys: [largeKey] } }),
        "4096 bits",
      ],
      "a software statement": [
        "registration.software_statement",
        registering({ redirect_uris, software_statement: "e30.e30." }),
        "must not have a software_statement",
      ],
      "a grant without a user": [
        "registration.metadata",
        registering({ grant_types: ["client_credentials"] }),
        "client_credentials",
      ],
    });
  });

  it("ignores members of OpenID Connect if 'openid' is not a scope, and leaves them out", async () => {
    const kit = openKit({ scopes: { read: "Read", write: "Write" } });
    const { status, body } = await register(kit, {
      redirect_uris,
      subject_type: "public",
      id_token_signed_response_alg: "RS256",
      post_logout_redirect_uris: ["https://app.example/"],
      backchannel_logout_uri: "https://app.example/out",
    });
    const ofOpenId = Object.keys(body).filter((name) => /subject_type|id_token|logout/.test(name));
    assertEquals([status, ofOpenId], [201, []]);
  });

  it("reports all problems at once", async () => {
    const { body } = await register(openKit(), {
      redirect_uris,
      scope: "all",
      grant_types: ["implicit"],
      response_types: [],
    });
    assertMatch(body.error_description, /'all'.*'implicit'/);
  });

  it.inKit("CVE-2026-41427: no client can register a privilege that only the operator gives", async (kit) => {
    const privileges = {
      trusted: true,
      introspect: "any",
      rememberConsent: true,
      pkce: "optional",
    };
    const { client_id } = await registered(kit, { redirect_uris, ...privileges });
    const client = present(await kit.server.context.records.clients.find(client_id));
    const { trusted, introspect, rememberConsent, pkce } = client;
    assertEquals([trusted, introspect, rememberConsent, pkce], [false, "own", false, "required"]);
  });

  it.inKit("makes nothing of values of any other kind, and never a fault of ours", async (kit) => {
    const names = [...members.map(({ name }) => name), "__proto__", "constructor"];
    const empty = [null, true, 5, "", [], {}];
    const strange = ["x", "\u0000", "__proto__", [null], [[]], { keys: [null] }];
    for (const value of [...empty, ...strange, { keys: [{ kty: 5 }] }]) {
      for (const name of names) {
        // An object literal would set the prototype.
        const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
        const body = JSON.stringify({ redirect_uris, x: null }).replace('"x":null', member);
        const { status } = await kit.request("/oauth2/register", { method: "POST", headers, body });
        assert([201, 400].includes(status), `${member} made ${status}`);
      }
    }
  });

  it("CVE-2026-1180: fetches the keys of an untrusted client by the guarded fetch only", async () => {
    const asked: string[] = [];
    const kit = openKit({
      fetch: () => Promise.reject(new Error("The unguarded fetch was used.")),
      fetchUntrusted: async (url) => (asked.push(url), Response.json({ keys: [] })),
    });
    const jwks_uri = "https://app.example/jwks";
    const method = { token_endpoint_auth_method: "private_key_jwt" };
    const { client_id } = await registered(kit, { redirect_uris, ...method, jwks_uri });
    const fields = { code: "x", ...await assertion(kit, client_id, await makeClientKey()) };
    const answer = await kit.token({ grant_type: "authorization_code", ...fields });
    assertEquals([answer.status, asked], [401, [jwks_uri]]);
  });

  it.inKit("wants JSON, of bounded length", async (kit) => {
    const post = (type: string, body: string) =>
      kit.request("/oauth2/register", { method: "POST", headers: { "Content-Type": type }, body });
    assertEquals((await post("text/plain", "{}")).status, 400);
    const malformed = await post("application/json", "{");
    assertEquals(malformed.status, 400);
    assertStringIncludes(await malformed.text(), "The body must be a JSON document.");
    assertEquals((await post("application/json", `"${"x".repeat(70_000)}"`)).status, 413);
  });

  it.inKit("refuses JSON that it could read, but not write again", async (kit) => {
    for (const strange of [`${"[".repeat(20_000)}${"]".repeat(20_000)}`, '"\\ud800"']) {
      const body =
        `{"redirect_uris":["https://app.example/cb"],"jwks":{"keys":[{"kty":"RSA","n":${strange}}]}}`;
      const { status } = await kit.request("/oauth2/register", { method: "POST", headers, body });
      assertEquals(status, 400);
    }
  });

  it("keeps secrets and tokens as hashes alone", async () => {
    const store = watchedStore();
    const { client_secret, registration_access_token } = await registered(openKit({ store }));
    for (const secret of [client_secret, registration_access_token]) {
      assert(!store.texts.join().includes(secret));
    }
  });
});

describe("Who may register (RFC 7591, section 1.2)", () => {
  const it = itWith({
    inKit: openKit,
    inAdmittingKit: () => openKit({ registration: { initialAccessToken } }),
  });

  it("is no client, unless the operator configures it", async () => {
    const kit = openStrictKit();
    assertEquals((await register(kit, {})).status, 404);
    assertEquals((await kit.metadata()).registration_endpoint, undefined);
  });

  it.inAdmittingKit("is any client with the initial access token, if there is one; another one is told why, and where the rule is (RFC 7591, section 3)", async (kit) => {
    const { status, headers, body } = await register(kit, { redirect_uris }, "wrong");
    assertEquals([status, body.error], [401, "invalid_token"]);
    assertMatch(headers.get("WWW-Authenticate")!, /^Bearer /);
    assertMatch(body.error_description, /initial access token.*See RFC 7591, section 3\./);
    assertEquals((await register(kit, { redirect_uris }, initialAccessToken)).status, 201);
  });

  it.inAdmittingKit("reads JSON beside the challenge where no initial access token came, and the challenge names no error", async (kit) => {
    for (const Authorization of [undefined, "Basic eDp5", "Bearer"]) {
      const sent = { ...headers, ...Authorization && { Authorization } };
      const init = { method: "POST", headers: sent, body: "{}" };
      const { status, body, ...answer } = await read(await kit.request("/oauth2/register", init));
      assertEquals([status, body.error], [401, "invalid_token"]);
      assertEquals(answer.headers.get("WWW-Authenticate"), `Bearer realm="${kit.issuer}"`);
      assertStringIncludes(body.error_description, "initial access token");
    }
  });

  it.inAdmittingKit("may ask for grants without a user, if the operator trusts it", async (kit) => {
    const metadata = { grant_types: ["client_credentials"] };
    const { body } = await register(kit, metadata, initialAccessToken);
    const fields = { grant_type: "client_credentials", scope: "read" };
    const { status } = await kit.token(fields, basic(body.client_id, body.client_secret));
    assertEquals([status, body.response_types], [200, []]);
  });

  it("M4: is not locked out by wrong tokens of others: 32 random characters cannot be guessed", async () => {
    const kit = openKit({ registration: { initialAccessToken }, guessesPerMinute: 3 });
    kit.address = "192.0.2.1";
    for (let time = 0; time < 10; time++) {
      assertEquals((await register(kit, { redirect_uris }, "wrong")).status, 401);
    }
    assertEquals((await register(kit, { redirect_uris }, initialAccessToken)).status, 201);
  });

  it("fills no store: clients are counted, and unused ones expire", async () => {
    const kit = openKit({ registrationsPerMinute: 2 });
    const { client_id } = await registered(kit, loopback);
    await register(kit, loopback);
    assertEquals((await register(kit, loopback)).status, 429);
    kit.clock.advance(91 * 24 * 3600);
    assertEquals(await kit.server.context.records.clients.find(client_id), undefined);
  });

  it("is counted by network, and so are changes: a /48 of IPv6 is one sender", async () => {
    const kit = openKit({ registrationsPerMinute: 3 });
    const from = (ip: string, url: string, method: string, body: unknown, token = "") => {
      const sent = { ...headers, Authorization: `Bearer ${token}` };
      const request = new Request(url, { method, headers: sent, body: JSON.stringify(body) });
      return kit.server.fetch(withAddress(request, ip));
    };
    const registerFrom = (ip: string) =>
      from(ip, `${kit.issuer}/oauth2/register`, "POST", loopback);
    const registered = await (await registerFrom("2001:db8::1")).json();
    const { client_id, registration_access_token: token, registration_client_uri: url } =
      registered;
    const change = () => from("2001:db8:0:1::1", url, "PUT", { ...loopback, client_id }, token);
    assertEquals((await change()).status, 200);
    assertEquals((await registerFrom("2001:db8::3:0:0:1")).status, 201);
    assertEquals((await change()).status, 429);
    assertEquals((await registerFrom("2001:db8:1::1")).status, 201);
  });

  it.inKit("stays, as long as the client is used", async (kit) => {
    const { client_id } = await registered(kit, loopback);
    for (let time = 0; time < 3; time++) {
      kit.clock.advance(60 * 24 * 3600);
      const own = { client_id, redirect_uri: "http://127.0.0.1:1/cb" };
      assertEquals((await kit.redeem(await kit.code(own), own)).status, 200);
    }
  });
});

describe("The client configuration endpoint (RFC 7592)", () => {
  it.inKit("shows the client what it is registered as, but for its secret", async (kit) => {
    const { manage, client_secret, ...rest } = await registered(kit);
    const { status, body } = await manage("GET");
    assertEquals([status, body], [200, rest]);
    assert(client_secret);
  });

  it.inKit("CVE-2026-107623: replaces everything, and keeps what is not the client's to change", async (kit) => {
    const old = { redirect_uris, client_name: "Old", contacts: ["me"] };
    const { client_id, manage, client_secret } = await registered(kit, old);
    const [redirect_uri] = ["https://app.example/new"];
    const changed = { client_id, redirect_uris: [redirect_uri], client_name: "New" };
    const { status, body } = await manage("PUT", changed);
    assertEquals([status, body.client_id, body.client_name], [200, client_id, "New"]);
    assertEquals([body.contacts, body.client_secret], [undefined, undefined]);
    const client = present(await kit.server.context.records.clients.find(client_id));
    assertEquals([client.name, client.redirectUris], ["New", [redirect_uri]]);
    assertEquals<unknown>([client.contacts, client.trusted], [[], false]);
    const code = await kit.code({ client_id, redirect_uri });
    const headers = basic(client_id, client_secret);
    assertEquals((await kit.redeem(code, { client_id, redirect_uri }, headers)).status, 200);
  });

  it("gives a secret to a client that becomes confidential, and takes it from one that becomes public", async () => {
    const { client_id, manage } = await registered(openKit(), loopback);
    const own = { ...loopback, client_id };
    const confidential = { ...own, token_endpoint_auth_method: "client_secret_post" };
    assertMatch((await manage("PUT", confidential)).body.client_secret, /^[\w-]{43}$/);
    assertEquals((await manage("PUT", own)).body.client_secret_expires_at, undefined);
  });

  const wrongChanges: Record<string, object> = {
    "no client_id": { client_id: undefined },
    "another client_id": { client_id: "demo-web" },
    "a secret of its own": { client_secret: "mine" },
    "a wrong redirect URI": { redirect_uris: ["https://app.example/#"] },
  };
  for (const [what, changes] of Object.entries(wrongChanges)) {
    it(`refuses a change with ${what}, and changes nothing`, async () => {
      const { client_id, manage } = await registered(openKit());
      const before = (await manage("GET")).body;
      const { status } = await manage("PUT", { client_id, redirect_uris, ...changes });
      assertEquals([status, (await manage("GET")).body], [400, before]);
    });
  }

  it("takes the secret that it gave out", async () => {
    const { client_id, client_secret, manage } = await registered(openKit());
    assertEquals((await manage("PUT", { client_id, client_secret, redirect_uris })).status, 200);
  });

  it("takes a member that is null for one that is not there", async () => {
    const { client_id, manage } = await registered(openKit(), {
      redirect_uris,
      client_name: "App",
    });
    const { body } = await manage("PUT", { client_id, redirect_uris, client_name: null });
    assertEquals(body.client_name, undefined);
  });

  it.inKit("ends everything of a client at once", async (kit) => {
    const redirect_uri = "http://127.0.0.1:9/cb";
    const { client_id, manage } = await registered(kit, {
      ...loopback,
      grant_types: ["authorization_code", "refresh_token"],
    });
    const changes = { client_id, redirect_uri };
    const tokens = (await kit.redeem(await kit.code(changes), changes)).body;
    const code = await kit.code(changes);
    const gone = await manage("DELETE");
    assertEquals([gone.status, gone.text], [204, ""]);
    assertEquals(kit.events.filter(({ type }) => type === "client.deleted").length, 1);
    assertEquals((await kit.userinfo(tokens.access_token)).status, 401);
    assertEquals((await kit.refresh(tokens.refresh_token, { client_id })).status, 401);
    assertEquals((await kit.redeem(code, changes)).status, 401);
    assertEquals((await manage("GET")).status, 401);
  });

  it.inKit("rejects a wrong token, another client's and none alike, and explains how to authenticate", async (kit) => {
    const [one, other] = [await registered(kit), await registered(kit)];
    for (const token of ["wrong", other.registration_access_token]) {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const changes = method === "PUT" ? { redirect_uris } : undefined;
        const { status, headers, body } = await one.manage(method, changes, token);
        assertEquals([status, body.error], [401, "invalid_token"]);
        assertMatch(headers.get("WWW-Authenticate")!, /^Bearer .*error="invalid_token"/);
      }
    }
    const none = await read(await kit.get(new URL(one.registration_client_uri).pathname));
    assertEquals([none.status, none.body.error], [401, "invalid_token"]);
    assertStringIncludes(none.body.error_description, "RFC 7592, section 3");
    assertEquals((await one.manage("GET")).status, 200);
  });

  it("knows no client of the configuration", async () => {
    const url = "https://hallpass.test/oauth2/register/demo-web";
    assertEquals((await sendJson(openKit(), "GET", url, undefined, "x")).status, 401);
  });

  it("brings back nothing that is deleted while it changes", async () => {
    const deleted: number[] = [];
    const kit = openKit({
      fetchUntrusted: async () => {
        deleted.push((await manage("DELETE")).status);
        return Response.json(redirect_uris);
      },
    });
    const { client_id, manage } = await registered(kit);
    const sector_identifier_uri = "https://sector.example/uris";
    const changed = await manage("PUT", { client_id, redirect_uris, sector_identifier_uri });
    assertEquals([changed.status, deleted], [200, [503]]);
    assertEquals((await manage("DELETE")).status, 204);
  });
});

describe("Sector identifiers (OpenID Connect Registration, section 5)", () => {
  const sector_identifier_uri = "https://sector.example/uris";
  const registerWith = (fetchUntrusted: () => Promise<Response>) =>
    register(openKit({ fetchUntrusted }), { redirect_uris, sector_identifier_uri });

  it("O12 oidcc-registration-sector-uri: list every redirect URI", async () => {
    const uris = ["https://other.example/", ...redirect_uris];
    assertEquals((await registerWith(async () => Response.json(uris))).status, 201);
  });

  const html = { headers: { "Content-Type": "text/html" } };
  const refused: Record<string, () => Response> = {
    "L1: is a page that lists it": () => new Response(JSON.stringify(redirect_uris), html),
    "oidcc-registration-sector-bad: does not list it": () => Response.json(["https://a.example/"]),
    "is no list": () => Response.json({}),
    "is not there": () => new Response(null, { status: 404 }),
    "is a redirect": () => Response.redirect("https://elsewhere.example/"),
  };
  for (const [what, answer] of Object.entries(refused)) {
    it(`O12 are refused if the document ${what}`, async () => {
      const { status, body } = await registerWith(async () => answer());
      assertEquals([status, body.error], [400, "invalid_client_metadata"]);
    });
  }

  it.inKit("are not fetched if there is no guarded fetch", async (kit) => {
    const { body } = await register(kit, { redirect_uris, sector_identifier_uri });
    assertEquals(body.error, "invalid_client_metadata");
    assert(kit.events.some(({ type }) => type === "outbound.failed"));
  });
});

describe("Pairwise subjects of a client that registered itself (OpenID Connect Core, section 8.1)", () => {
  const pairwise = {
    redirect_uris,
    subject_type: "pairwise",
    grant_types: ["authorization_code", "refresh_token"],
  };

  it.inKit("O12 stay what they were when the client moves to another sector, introspection included", async (kit) => {
    const { client_id, client_secret, manage } = await registered(kit, pairwise);
    const authentication = basic(client_id, client_secret);
    const code = await kit.code({ client_id, redirect_uri: redirect_uris[0] });
    const fields = { client_id: undefined, redirect_uri: redirect_uris[0] };
    const { body } = await kit.redeem(code, fields, authentication);
    const moved = { ...pairwise, client_id, redirect_uris: ["https://bank.example/cb"] };
    assertEquals((await manage("PUT", moved)).status, 200);
    if (!hasFeature("introspection")) return;
    const told = await kit.introspect(body.refresh_token, {}, authentication);
    assertEquals(told.body.sub, claimsOf(body.id_token).sub);
  });

  it("O12 are given to no device, which shows no redirect URI that would prove the sector", async () => {
    const device = "urn:ietf:params:oauth:grant-type:device_code";
    const { status, body } = await register(openKit(), {
      ...pairwise,
      grant_types: ["authorization_code", device],
    });
    assertEquals([status, body.error], [400, "invalid_client_metadata"]);
    assertStringIncludes(body.error_description, "'subject_type'");
  });

  const mixed: Array<[what: string, redirect_uris: string[], status: number]> = [
    ["one https host", ["https://app.example/cb", "https://app.example/other"], 201],
    ["two https hosts", ["https://app.example/cb", "https://other.example/cb"], 400],
    ["two ports of one https host", ["https://app.example/cb", "https://app.example:8443/cb"], 400],
    ["another client's https host beside a private scheme", [
      "https://victim.example/cb",
      "com.evil.app://victim.example/cb",
    ], 400],
    [
      "the private scheme first",
      ["com.evil.app://victim.example/cb", "https://victim.example/cb"],
      400,
    ],
    ["a loopback address beside https", ["http://localhost/cb", "https://localhost/cb"], 400],
    ["private schemes alone", ["com.example.app:/cb", "com.example.app:/other"], 201],
    ["one loopback address", ["http://127.0.0.1/cb", "http://127.0.0.1/other"], 201],
  ];
  for (const [what, redirect_uris, status] of mixed) {
    it(`M6 O12: responds with ${status} if the redirect URIs are ${what}`, async () => {
      const metadata = { ...pairwise, redirect_uris, application_type: "native" };
      const { body, ...answer } = await register(openKit(), metadata);
      const error = status === 201 ? undefined : "invalid_client_metadata";
      assertEquals([answer.status, body.error], [status, error]);
    });
  }

  it("M6: a sector identifier makes up for redirect URIs of several kinds, and decides the sector", async () => {
    const several = ["https://victim.example/cb", "com.evil.app://victim.example/cb"];
    const kit = openKit({ fetchUntrusted: async () => Response.json(several) });
    const sector_identifier_uri = "https://sector.example/uris";
    const metadata = { ...pairwise, redirect_uris: several, sector_identifier_uri };
    const { client_id } = await registered(kit, metadata);
    const client = await kit.server.context.records.clients.find(client_id);
    assertEquals(client?.sector, "sector.example");
  });

  it("P2: refuses http with a name below localhost, which anyone may use, except in a lab", async () => {
    const metadata = { ...loopback, redirect_uris: ["http://app.localhost/cb"] };
    const strict = openStrictKit({ registration: { open: true } });
    const { status, body } = await register(strict, metadata);
    assertEquals([status, body.error], [400, "invalid_redirect_uri"]);
    assertMatch(body.error_description, /below localhost/);
    assertEquals((await register(openKit(), metadata)).status, 201);
  });

  it("O12 of two programs on users' machines are not the same", async () => {
    for (const uri of ["http://127.0.0.1/cb", "http://app.localhost/cb", "com.example.app:/cb"]) {
      const kit = openKit();
      const subjects = new Set<string>();
      for (const _ of ["one", "two"]) {
        const metadata = { ...loopback, redirect_uris: [uri], subject_type: "pairwise" };
        const own = { client_id: (await registered(kit, metadata)).client_id, redirect_uri: uri };
        const { id_token } = (await kit.redeem(await kit.code(own), own)).body;
        subjects.add(claimsOf(id_token).sub);
      }
      assertEquals(subjects.size, 2);
    }
  });
});

describe("A registration that is refused", () => {
  it("V7: has the names of its members in the log, and no name that the client made up", async () => {
    const kit = openStrictKit({ registration: { open: true } });
    const jwks = { "a-secret-as-a-name": 1, another: 2 };
    const metadata = { redirect_uris, jwks };
    const { status, body } = await sendJson(kit, "POST", `${kit.issuer}/oauth2/register`, metadata);
    assertEquals(status, 400);
    assertStringIncludes(body.error_description, "jwks.a-secret-as-a-name");
    const events = JSON.stringify(kit.events);
    assertStringIncludes(events, "Invalid members: jwks.");
    assert(!events.includes("a-secret-as-a-name"), events);
  });
});
