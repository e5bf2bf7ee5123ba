import { assert, assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import { decodeJwt } from "jose";
import { describe } from "node:test";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { publicPasswords } from "../../../../src/lab/sign_in/one_click.ts";
import {
  hallpass,
  LabError,
  type TestLab,
  type ValueOptions,
} from "../../../../src/lab/testing/mod.ts";
import { makeTestKey } from "../../../../src/lab/tokens/test_keys.ts";
import { directHandlerOf } from "../../../../src/server/http/application.ts";
import { createIncomingRequest } from "../../../../src/server/http/incoming_request.ts";
import { type Config, createServer } from "../../../../src/server/mod.ts";
import { deviceCodeGrantType } from "../../../../src/server/protocol/grant_types.ts";
import { challenge, service } from "../../../support/flow_kit.ts";
import { itWith } from "../../../support/it_with.ts";
import { callLab } from "../../../support/lab_call.ts";
import { authorizationUrl, login, refresh } from "../../../support/login.ts";
import { present } from "../../../support/present.ts";
import { registerAt } from "../../../support/registration.ts";
import { assertClean, assertFindings, assertReport } from "../../../support/reported.ts";
import { testClient } from "../../../support/test_client.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({
  inLab: () => hallpass(),
  inLabWithIntrospection: { ...needs("introspection"), open: () => hallpass() },
  withIntrospection: needs("introspection"),
  inLabWithFaultsAndIntrospection: { ...needs("faults", "introspection"), open: () => hallpass() },
});

const client = testClient({ scope: "openid read" });

async function codeFor(lab: TestLab, changes: Record<string, string> = {}, user = "alice") {
  return await client.code(lab, changes, { user });
}

const introspect = async (lab: TestLab, token: string) =>
  (await client.introspect(lab, token, {}, service)).body;

describe("Chosen values", () => {
  it.inLabWithIntrospection("are what a login hands out, and everything works with them", async (lab) => {
    lab.values({ code: "abc", accessToken: ["first-token", "second-token"], refreshToken: "R1" });
    assertEquals(await codeFor(lab), "abc");
    const { tokens, claims } = await login(lab, { scope: "openid offline_access read" });
    assertEquals([tokens.access_token, tokens.refresh_token], ["first-token", "R1"]);
    const { active, sub, client_id } = await introspect(lab, "first-token");
    assertEquals([active, sub, client_id, claims.sub], [true, "alice", "demo-spa", "alice"]);
    // The ID token names the access token by its hash.
    const hash = new Uint8Array(
      await crypto.subtle.digest("SHA-256", new TextEncoder().encode("first-token")),
    );
    const half = btoa(String.fromCharCode(...hash.slice(0, 16))).replaceAll("+", "-")
      .replaceAll("/", "_").replaceAll("=", "");
    assertEquals(decodeJwt(tokens.id_token ?? "").at_hash, half);

    const next = await refresh(lab, "R1");
    assertEquals([next.access_token, next.refresh_token], ["second-token", "R1"]);
    assertEquals((await client.userinfo(lab, "second-token")).status, 200);
    // The list is used up.
    const last = await refresh(lab, "R1");
    assertEquals(last.refresh_token, "R1");
    assertMatch(last.access_token, /^eyJ/);

    await client.revoke(lab, "second-token");
    assertEquals((await introspect(lab, "second-token")).active, false);
    assertEquals((await introspect(lab, "R1")).active, true);
    await client.revoke(lab, "R1");
    assertEquals((await introspect(lab, "R1")).active, false);
    assertClean(lab);
  });

  it.inLab("expire", needs("introspection"), async (lab) => {
    lab.values({ code: "abc", accessToken: "a.b.c", refreshToken: "R1" });
    await login(lab, { scope: "openid offline_access" });
    lab.clock.advance("61m");
    assertEquals((await client.userinfo(lab, "a.b.c")).status, 401);
    assertEquals((await introspect(lab, "R1")).active, true);
    lab.clock.advance("31d");
    assertEquals((await introspect(lab, "R1")).active, false);
    await codeFor(lab);
    lab.clock.advance("6m");
    const { body } = await client.redeem(lab, "abc");
    assertEquals(body.error, "invalid_grant");
  });

  it.inLabWithIntrospection("are used once: a code that comes again revokes what it brought", async (lab) => {
    lab.values({ code: "abc", accessToken: ["one", "two"] });
    await codeFor(lab);
    assertEquals((await client.redeem(lab, "abc")).body.access_token, "one");
    assertEquals((await introspect(lab, "one")).active, true);
    const second = await client.redeem(lab, "abc");
    assertEquals([second.status, second.body.error], [400, "invalid_grant"]);
    assertEquals((await introspect(lab, "one")).active, false);
    assertFindings(lab, ["code-redeemed-twice"]);
    // The refused request took no value.
    await codeFor(lab);
    assertEquals((await client.redeem(lab, "abc")).body.access_token, "two");
  });

  it.inLab("revoke when a refresh token that was replaced comes again", async (lab) => {
    lab.values({ refreshToken: ["R1", "R2"] });
    const { tokens } = await login(lab, { scope: "openid offline_access" });
    assertEquals(tokens.refresh_token, "R1");
    assertEquals((await refresh(lab, "R1")).refresh_token, "R2");
    for (const token of ["R1", "R2"]) {
      assertEquals((await client.refresh(lab, token)).body.error, "invalid_grant");
    }
  });

  it.withIntrospection("are sent again after a lost response, where that is allowed, until they are in use", async () => {
    await using lab = await hallpass({ refreshReuseGrace: "1m" });
    lab.values({ refreshToken: ["R1", "R2", "R3"], accessToken: ["A1", "A2", "A3"] });
    await login(lab, { scope: "openid offline_access" });
    assertEquals((await refresh(lab, "R1")).refresh_token, "R2");
    assertEquals((await refresh(lab, "R1")).refresh_token, "R2");
    assertEquals((await refresh(lab, "R2")).refresh_token, "R3");
    assertEquals((await client.refresh(lab, "R1")).body.error, "invalid_grant");
    assertEquals((await introspect(lab, "R3")).active, false);
  });

  it.inLabWithIntrospection("belong to the newer grant, and the older one is not revoked", async (lab) => {
    const spent = { scope: "openid offline_access", callUserinfo: true };
    lab.values({ code: "abc", accessToken: ["A", "A"], refreshToken: ["R1", "R1"] });
    const older = await lab.mint({ sub: "alice", client: "demo-spa", scope: "openid" });
    await login(lab, { ...spent, user: "alice" });
    lab.values({ accessToken: ["A2"], refreshToken: ["R2"] });
    // Alice refreshes before Bob signs in: she owns more than the values that he takes over.
    const alice = await refresh(lab, "R1");
    await login(lab, { ...spent, user: "bob" });
    assertEquals((await introspect(lab, alice.access_token)).sub, "alice");
    assertEquals((await introspect(lab, older.access_token)).active, true);
    assertNotEquals((await introspect(lab, "A2")).active, false);
    // Both have redeemed "abc", each once.
    assertClean(lab);
  });

  it.inLabWithIntrospection("that an older grant has are taken over fresh, even if they were used", async (lab) => {
    lab.values({ accessToken: "A", refreshToken: "R1" });
    await login(lab, { scope: "openid offline_access", user: "alice" });
    await login(lab, { scope: "openid offline_access", user: "bob" });
    assertEquals((await introspect(lab, "A")).sub, "bob");
    assertEquals((await introspect(lab, "R1")).sub, "bob");
    await client.revoke(lab, "R1");
    assertEquals((await introspect(lab, "A")).active, false);
    await login(lab, { scope: "openid offline_access", user: "alice" });
    assertEquals((await introspect(lab, "A")).sub, "alice");
    assertEquals((await refresh(lab, "R1")).access_token, "A");
  });

  it.inLab("of a device flow and of a registration work as well", async (lab) => {
    lab.values({
      deviceCode: "D1",
      userCode: "WDJB-MJHT",
      clientId: "s6BhdRkqt3",
      clientSecret: "cf136dc3c1fc93f31185e5885805d",
      registrationAccessToken: "reg-23410913-abewfq.123483",
    });
    const cli = { client_id: "demo-cli" };
    const request = { ...cli, scope: "read" };
    const { body: device } = await client.sendForm(lab, "/oauth2/device_authorization", request);
    assertEquals([device.device_code, device.user_code], ["D1", "WDJB-MJHT"]);
    const page = await lab.fetch(`${lab.issuer}/device?user_code=wdjbmjht`);
    assertEquals(page.status, 200);
    const poll = { ...cli, grant_type: deviceCodeGrantType, device_code: "D1" };
    assertEquals((await client.token(lab, poll)).body.error, "authorization_pending");

    const metadata = { redirect_uris: ["https://app.example/callback"] };
    const { body: registered } = await registerAt(lab, metadata);
    assertEquals(registered.client_id, "s6BhdRkqt3");
    assertEquals(registered.client_secret, "cf136dc3c1fc93f31185e5885805d");
    assertEquals(registered.registration_access_token, "reg-23410913-abewfq.123483");
    const headers = { Authorization: "Bearer reg-23410913-abewfq.123483" };
    const shown = await lab.fetch(registered.registration_client_uri, { headers });
    assertEquals((await shown.json()).client_id, "s6BhdRkqt3");
  });

  it("are bound to a client, a state, a login_hint and a tenant, and to the nth", async () => {
    await using lab = await hallpass();
    const tenant = await lab.tenant({ id: "acme" });
    lab.values({ code: "general" });
    lab.values({ code: ["of-web"], client: "demo-web" });
    lab.values({ code: ["of-state"], state: "s1" });
    lab.values({ code: ["of-hint"], loginHint: "bob" });
    lab.values({ code: "of-acme", tenant: "acme" });
    lab.values({ code: "third", nth: 3, client: "demo-spa" });
    assertEquals(await codeFor(lab), "general");
    assertEquals(await codeFor(lab, { state: "s1" }), "of-state");
    assertEquals(await codeFor(lab, { login_hint: "bob" }, "bob"), "of-hint");
    assertEquals(await codeFor(lab), "general");
    assertEquals(await codeFor(lab), "third");
    assertEquals(await codeFor(lab), "general");
    assertEquals(await codeFor(lab, { client_id: "demo-web" }), "of-web");
    assertEquals(await codeFor(tenant), "of-acme");
  });

  it.inLab("come from lists first, and of two texts from the later one, until they are removed", async (lab) => {
    const first = lab.values({ code: "one" });
    const second = lab.values({ code: "two", times: 1 });
    lab.values({ code: ["listed"] });
    assertEquals([first.kinds, second.id], [["code"], "values-2"]);
    const codes = [];
    for (let count = 0; count < 3; count++) codes.push(await codeFor(lab));
    assertEquals(codes, ["listed", "two", "one"]);
    first.remove();
    assertMatch(await codeFor(lab), /^[\w-]{43}$/);
  });

  it.inLab("are in minted tokens", needs("introspection"), async (lab) => {
    lab.values({ accessToken: ["A1"], refreshToken: ["R1"], client: "demo-web" });
    const { access_token, refresh_token } = await lab.mint({
      sub: "alice",
      client: "demo-web",
      scope: "openid offline_access",
      claims: { roles: ["admin"] },
    });
    assertEquals([access_token, refresh_token], ["A1", "R1"]);
    lab.values({ accessToken: "A2" });
    // The server does not know these, so that they stay JWTs.
    const secret = "a-secret-of-an-api-with-32-bytes";
    for (const unknown of [{ bare: true }, { secret }]) {
      assertMatch((await lab.mint({ sub: "alice", ...unknown })).token, /^eyJ/);
    }
    assertEquals((await lab.mint({ sub: "alice" })).token, "A2");
    assertEquals((await introspect(lab, "A1")).active, true);
  });

  it.inLabWithFaultsAndIntrospection("pass through hooks and faults, even if they look like a JWT", async (lab) => {
    const { token } = await lab.mint({ sub: "bob", scope: "read", audience: "elsewhere" });
    const foreign = `${token.slice(0, -8)}AAAAAAAA`;
    lab.values({ accessToken: foreign });
    lab.fault("token.claims", { claims: { roles: ["admin"] } });
    const { tokens } = await login(lab);
    assertEquals(tokens.access_token, foreign);
    assertEquals((await introspect(lab, foreign)).sub, "alice");
    assertClean(lab);
  });

  it.inLab("G3: are hidden where credentials are, and the report has clients and kinds only", async (lab) => {
    lab.values({
      code: "the-chosen-code",
      accessToken: "the-token",
      refreshToken: "the-refresh-token",
    });
    await login(lab, { scope: "openid offline_access" });
    await refresh(lab, "the-refresh-token");
    assertReport(lab, {
      chosenValues: [
        { kind: "code", client: "demo-spa", times: 1 },
        { kind: "refreshToken", client: "demo-spa", times: 2 },
        { kind: "accessToken", client: "demo-spa", times: 2 },
      ],
    });
    const { json: listed } = await callLab(lab, "GET /values");
    assertEquals(listed, [{
      id: "values-1",
      kinds: ["code", "accessToken", "refreshToken"],
      used: { code: 1, accessToken: 2, refreshToken: 2 },
    }]);
    const report = (await callLab(lab, "GET /report")).json;
    const shown = JSON.stringify([lab.requests(), lab.flows(), report, listed]);
    // Long enough not to be in a random id by chance.
    for (const value of ["the-chosen-code", "the-token", "the-refresh-token"]) {
      assert(!shown.includes(`"${value}"`) && !shown.includes(`=${value}`), value);
      assert(!shown.includes(value), value);
    }
    const page = await (await lab.fetch(`${lab.issuer}/lab/report`, {
      headers: { Accept: "text/html" },
    })).text();
    assert(!page.includes("the-token"));
  });

  it.inLab("are kept by a snapshot, and forgotten by a reset", needs("snapshots"), async (lab) => {
    lab.values({ code: ["one", "two", "three"], accessToken: "A" });
    await codeFor(lab);
    const before = await lab.snapshot();
    assertEquals([await codeFor(lab), await codeFor(lab)], ["two", "three"]);
    for (let times = 0; times < 2; times++) {
      await lab.restore(before);
      assertEquals(await codeFor(lab), "two");
    }
    assertEquals((await client.redeem(lab, "two")).body.access_token, "A");
    assertEquals((await client.redeem(lab, "one")).body.access_token, "A");
    await lab.reset();
    assertMatch(await codeFor(lab), /^[\w-]{43}$/);
    assertReport(lab, { chosenValues: [] });
  });

  it.inLab("that cannot be one are refused, without the value in the message", async (lab) => {
    const text = "must be text of 1 to 1024 printable ASCII characters";
    const cases: Array<[string, unknown, string]> = [
      ["an empty one", { code: "" }, text],
      ["control characters", { accessToken: "s3cr\u0007" }, text],
      ["other characters", { refreshToken: "s3cr\u00e9" }, text],
      ["more than 1 kB", { code: "s3cret".repeat(200) }, text],
      ["a number", { code: 5 }, text],
      ["null", { code: null }, text],
      ["one of a list", { code: ["good", ""] }, text],
      ["an empty list", { code: [] }, "'code' must have a value"],
      ["what no header can hold", { accessToken: "s3cret token" }, "letters, digits and"],
      ["vowels in a user code", { userCode: "S3CR-ETEE" }, "8 of the letters"],
      ["a client id that no path can hold", { clientId: "s3cret/id" }, "a client id has"],
      ["a configured client", { clientId: "demo-web" }, "a client already"],
      ["nothing", {}, "Choose at least one value: code, accessToken"],
      ["an unknown kind", { idToken: "s3cret" }, "There is no value option 'idToken'"],
      ["times for a list", { code: ["s3cret"], times: 2 }, "'times' is for a single value"],
      ["nth 0", { code: "s3cret", nth: 0 }, "The 'nth' of a value"],
      ["an unknown tenant", { code: "s3cret", tenant: "no" }, "There is no tenant 'no'"],
    ];
    for (const [name, options, message] of cases) {
      const choose = () => lab.values(options as ValueOptions);
      const error = assertThrows(choose, LabError, message);
      assert(!/s3cr/i.test(error.message), name);
    }
    assertMatch(await codeFor(lab), /^[\w-]{43}$/);
  });

  it("exist in a lab only: no configuration and no caller of a server can choose them", async () => {
    const config: Config = {
      issuer: "https://id.example",
      registration: "open",
      clients: [],
      policies: { passwords: publicPasswords, makeKey: makeTestKey },
    };
    for (const setting of ["values", "chooseCredential"]) {
      assertThrows(() => createServer({ ...config, [setting]: { code: "abc" } }), Error, setting);
    }
    const observer = { onEvent: () => {}, chooseCredential: () => Promise.resolve("chosen") };
    for (const listener of [undefined, observer.onEvent]) {
      const server = createServer({ ...config, ...listener && { onEvent: listener } });
      const request = createIncomingRequest(
        new Request("https://id.example/oauth2/register", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ redirect_uris: ["https://app.example/callback"] }),
        }),
      );
      const respond = present(directHandlerOf(server.fetch));
      const { status, body } = await Reflect.apply(respond, undefined, [request, observer]);
      assertEquals(status, 201);
      assert(!String(body).includes("chosen"));
    }
  });

  it("do not change what a lab without them issues", async () => {
    const codes = [];
    for (const chooses of [true, false]) {
      await using lab = openLab({ issuer: "https://hallpass.test", seed: 1, now: () => 1e12 });
      if (chooses) lab.values({ code: ["abc"], client: "another" });
      codes.push((await lab.authorize(authorizationUrl(lab), { user: "alice" })).code);
    }
    assertEquals(codes[0], codes[1]);
    assertEquals(challenge.length, 43);
  });
});
