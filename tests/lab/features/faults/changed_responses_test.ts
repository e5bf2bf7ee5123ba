import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { decodeJwt } from "jose";
import { describe } from "node:test";
import { type FaultOptions, hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { LabError } from "../../../../src/lab/util/lab_error.ts";
import { itWith } from "../../../support/it_with.ts";
import { login } from "../../../support/login.ts";
import { assertReport } from "../../../support/reported.ts";
import { testClient } from "../../../support/test_client.ts";
import { hasFeature, needs } from "../../../support/where_feature.ts";

const it = itWith({
  inLab: () => hallpass(),
  inLabWithFaults: { ...needs("faults"), open: () => hallpass() },
});

// deno-lint-ignore no-explicit-any
type Json = any;

/** Returns the JSON of an endpoint, its status and its headers. */
async function ask(lab: TestLab, path = "/oauth2/userinfo") {
  const { access_token } = await lab.mint({ sub: "alice", scope: "openid profile email" });
  const headers = { Authorization: `Bearer ${access_token}` };
  const response = await lab.fetch(lab.issuer + path, { headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: JSON.parse(text) as Json };
}

/** Asks for tokens that a client gets for itself. */
async function askForToken(lab: TestLab, client_id: string) {
  lab.clients.put({ id: client_id, secret: "s", grantTypes: ["client_credentials"] });
  const client = testClient({ client_id, client_secret: "s" });
  const { status, body } = await client.token(lab, { grant_type: "client_credentials" });
  return { status, json: body as Json };
}

describe("Faults that change a part of a response", () => {
  const body = { sub: "alice", a: { b: 1, c: 2 }, d: 3 };
  const changes: Array<[what: string, change: Omit<FaultOptions, "name">, expected: Json]> = [
    ["merges members, deeply", { merge: { a: { b: 4 } } }, { ...body, a: { b: 4, c: 2 } }],
    ["removes what merges with null", { merge: { a: null } }, { sub: "alice", d: 3 }],
    ["sets whole members", { set: { a: { e: 5 } } }, { ...body, a: { e: 5 } }],
    ["sets a member to null", { set: { d: null } }, { ...body, d: null }],
    ["unsets members", { unset: ["a", "d", "none"] }, { sub: "alice" }],
    ["sets, then unsets", { set: { d: 1 }, unset: ["d"] }, { sub: "alice", a: body.a }],
    ["sets a name of every object", { set: { constructor: 1 } }, { ...body, constructor: 1 }],
    ["replaces a value by an object", { merge: { d: { x: null, y: 1 } } }, {
      ...body,
      d: { y: 1 },
    }],
  ];
  for (const [what, change, expected] of changes) {
    it.inLab(`${what}: ${JSON.stringify(change)}`, async (lab) => {
      lab.next("userinfo", { body });
      lab.fault("userinfo.changed", change);
      assertEquals((await ask(lab)).json, expected);
    });
  }

  for (const status of [204, 205, 304]) {
    it.inLab(`sends no body with the status ${status}`, async (lab) => {
      lab.fault("jwks.changed", { status });
      const response = await lab.fetch(`${lab.issuer}/oauth2/jwks`);
      assertEquals([response.status, await response.text()], [status, ""]);
    });
  }

  const unsendable: Array<Record<string, string>> = [
    { "X-A": "a\r\nSet-Cookie: b=c" },
    { "X-A": "\0" },
    { "X A": "a" },
    { "X-A:": "a" },
    { "": "a" },
  ];
  for (const headers of unsendable) {
    it.inLab(`refuses headers that cannot be sent: ${JSON.stringify(headers)}`, async (lab) => {
      assertThrows(() => lab.fault("jwks.changed", { headers }), LabError, "header");
      assertThrows(() => lab.next("jwks", { headers }), LabError, "cannot be sent");
      if (!hasFeature("hooks")) return;
      lab.on("response", (draft) => void Object.assign(draft.headers, headers), { at: "jwks" });
      await assertRejects(() => lab.fetch(`${lab.issuer}/oauth2/jwks`), LabError, "cannot be sent");
    });
  }

  it.inLab("changes the status and headers, whatever the case of their names", async (lab) => {
    lab.fault("userinfo.changed", {
      status: 203,
      headers: { "CACHE-CONTROL": "max-age=5", "X-Test": "yes" },
      unsetHeaders: ["x-content-type-options"],
    });
    const { status, headers, json } = await ask(lab);
    const expected = [203, "max-age=5", "yes"];
    assertEquals([status, headers.get("Cache-Control"), headers.get("X-Test")], expected);
    assertEquals([headers.get("X-Content-Type-Options"), json.sub], [null, "alice"]);
  });

  it.inLab("changes what succeeds, unless `when` says otherwise", async (lab) => {
    lab.fault("token.changed", { set: { at: "success" } });
    lab.fault("token.changed", { when: "error", set: { error: "slow_down" }, status: 429 });
    lab.fault("token.changed", { when: "always", headers: { "X-A": "b" } });
    assertEquals((await askForToken(lab, "own")).json.at, "success");
    const { status, headers, body } = await testClient().token(lab, { grant_type: "none" });
    const { error, at } = body as Json;
    assertEquals([status, error, at, headers.get("X-A")], [429, "slow_down", undefined, "b"]);
  });

  it("changes the members of a form as it changes those of JSON", async () => {
    await using lab = await hallpass({ dialect: { tokenResponses: "form" } });
    lab.clients.put({ id: "own", secret: "s", grantTypes: ["client_credentials"] });
    const hook = lab.fault("token.changed", { set: { scope: "less" }, unset: ["expires_in"] });
    const { text } = await testClient({ client_id: "own", client_secret: "s" })
      .token(lab, { grant_type: "client_credentials" });
    const form = new URLSearchParams(text);
    assertEquals([form.get("scope"), form.has("expires_in"), hook.fired], ["less", false, 1]);
  });

  it.inLab("is bound to an endpoint, a client, a tenant and a number of times", async (lab) => {
    const tenant = await lab.tenant({ id: "acme" });
    lab.fault("token.changed", { client: "mine", times: 1, set: { changed: true } });
    lab.fault("userinfo.changed", { tenant: "acme", set: { changed: true } });
    assertEquals((await askForToken(lab, "other")).json.changed, undefined);
    assertEquals((await askForToken(lab, "mine")).json.changed, true);
    assertEquals((await askForToken(lab, "mine")).json.changed, undefined);
    const expected = [undefined, true];
    assertEquals([(await ask(lab)).json.changed, (await ask(tenant)).json.changed], expected);
  });

  it.inLab("does not count responses without the JSON that it is for", async (lab) => {
    const hook = lab.fault("authorize.changed", { set: { a: 1 }, when: "always" });
    await lab.fetch(`${lab.issuer}/oauth2/authorize`, { redirect: "manual" });
    assertEquals([hook.met, hook.fired], [0, 0]);
  });

  it("comes from the configuration as well, where a reset keeps it", async () => {
    await using lab = await hallpass({
      initialFaults: [{ name: "userinfo.changed", unset: ["email"], mayStayIdle: true }],
    });
    lab.fault("userinfo.changed", { set: { added: 1 } });
    await lab.reset();
    const { json } = await ask(lab);
    assertEquals([json.sub, json.email, json.added], ["alice", undefined, undefined]);
  });

  const invalid: Array<[options: Record<string, unknown>, message: RegExp]> = [
    [
      { name: "token.changed" },
      /at least one of: merge, set, unset, headers, unsetHeaders, status/,
    ],
    [{ name: "token.changed", when: "always" }, /send at least one of/],
    [{ name: "token.changed", status: 99 }, /status must be a whole number between 200 and 599/],
    [{ name: "token.changed", merge: [] }, /merge must be an object/],
    [{ name: "token.changed", unset: "a" }, /unset must be a list of strings/],
    [{ name: "token.changed", headers: { a: 1 } }, /headers\.a must be a string/],
    [
      { name: "token.changed", when: "never", set: {} },
      /when must be one of: success, error, always/,
    ],
    [{ name: "token.changed", set: {}, body: "a" }, /body replaces a response/],
    [{ name: "token.claims" }, /token\.claims needs 'claims'/],
    [{ name: "token.slow", claims: {} }, /no other fault takes them/],
    [{ name: "token.response", set: {} }, /Only faults such as token\.changed take merge/],
  ];
  for (const [options, message] of invalid) {
    it.inLab(`refuses ${JSON.stringify(options)}, also in a configuration`, async (lab) => {
      const given = options as unknown as FaultOptions;
      assertMatch(String(assertThrows(() => lab.faults.add(given), LabError)), message);
      assertMatch(
        String(await hallpass({ initialFaults: [given] }).catch((cause) => cause)),
        /LabError|Cannot/,
      );
    });
  }
});

describe("Claims that a fault adds", () => {
  it.inLab("reach both tokens, and userinfo for them", async (lab) => {
    lab.fault("token.claims", { claims: { roles: ["admin"] }, times: 1 });
    for (const expected of [["admin"], undefined]) {
      const { tokens: { access_token, id_token } } = await login(lab);
      assertEquals(decodeJwt(access_token).roles, expected);
      assertEquals(decodeJwt(String(id_token)).roles, expected);
      const { body } = await testClient().userinfo(lab, access_token);
      assertEquals((body as Json).roles, expected);
    }
  });
});

describe("What may stay idle", () => {
  it.inLabWithFaults("is not reported: faults, queued responses, hooks and changes", async (lab) => {
    lab.fault("token.server_error", { mayStayIdle: true });
    lab.next("jwks", { status: 503, mayStayIdle: true });
    if (hasFeature("hooks")) lab.on("token", () => {}, { mayStayIdle: true });
    lab.fault("token.claims", { claims: { a: 1 }, mayStayIdle: true });
    lab.fault("jwks.changed", { status: 203, mayStayIdle: true });
    assertReport(lab, { idleFaults: [] });
    lab.fault("token.server_error", { mayStayIdle: false });
    assertReport(lab, { idleFaults: ["token.server_error"] });
  });

  it.inLab("U13: is refused unless it is true or false", needs("faults"), async (lab) => {
    const conditions = { mayStayIdle: "yes" as unknown as boolean };
    assertThrows(() => lab.fault("token.slow", conditions), LabError, "must be true or false");
  });
});

describe("Recorded parameters", () => {
  it.inLab("U13: are kept if they are repeated, without their secrets", async (lab) => {
    const body = "client_id=x&resource=a&resource=b&code=1&code=2";
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    await lab.fetch(`${lab.issuer}/oauth2/token?resource=c`, { method: "POST", headers, body });
    const [request] = lab.requests();
    assertEquals([request?.allParameters, request?.parameters.resource], [{
      resource: ["c", "a", "b"],
      client_id: ["x"],
      code: ["[redacted]", "[redacted]"],
    }, "b"]);
    const [whole] = lab.requests({ secrets: true });
    assertEquals(whole?.allParameters.code, ["1", "2"]);
  });
});
