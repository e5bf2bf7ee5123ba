import { assert, assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { bodySchema, loadLabSchemas } from "../../src/lab/control/lab_schemas.ts";
import { describeInterface } from "../../src/lab/control/openapi.ts";
import { operations } from "../../src/lab/control/operations.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import { hallpass, type HallpassOptions, type TestLab } from "../../src/lab/testing/mod.ts";
import { LabError } from "../../src/lab/util/lab_error.ts";
import { programSchema } from "../../src/program/configuration/program_schema.ts";
import configSchema from "../../static/config.schema.json" with { type: "json" };
import { schemaProblems } from "../support/json_schema.ts";
import { authorizationUrl } from "../support/login.ts";
import { withAddress } from "../support/with_address.ts";

const labToken = "a-token-of-32-letters-and-digits";

// deno-lint-ignore no-explicit-any
type Json = any;

const forTenant = (body: unknown): [string, string, unknown] => ["POST", "/tenants", body];

/** Calls the interface over HTTP, as a test in any language does. */
async function call(
  lab: TestLab,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const json: Record<string, string> = body === undefined
    ? {}
    : { "Content-Type": "application/json" };
  const init = {
    method,
    headers: { ...json, ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
  const response = await lab.fetch(`${lab.issuer}/lab${path}`, init);
  const text = await response.text();
  const isJson = text.startsWith("{") || text.startsWith("[");
  const result = {
    status: response.status,
    headers: response.headers,
    body: (isJson ? JSON.parse(text) : text) as Json,
  };
  if (isJson) await checkDescribed(method, path, result.status, result.body);
  return result;
}

/** Checks that a response is as the OpenAPI document describes it. */
async function checkDescribed(method: string, path: string, status: number, body: Json) {
  const { paths, components: { schemas } }: Json = await describeInterface("http://a", operations);
  const [name = ""] = path.split("?");
  const matching = [...Object.keys(paths)].find((each) => each === name) ??
    Object.keys(paths).find((each) =>
      new RegExp(`^${each.replace(/\{\w+\}/, "[^/]+")}$`).test(name)
    );
  const operation = matching && paths[matching][method.toLowerCase()];
  if (!operation) return;
  const schema = operation.responses[status]?.content["application/json"]?.schema;
  assert(schema, `${method} ${path} has no schema for ${status}`);
  assertEquals(schemaProblems(schema, body, schemas), [], `${method} ${path}`);
}

/** Checks each operation once, by "METHOD path". */
const checks: Record<string, (lab: TestLab) => Promise<unknown>> = {
  async "POST /tokens"(lab) {
    const { body } = await call(lab, "POST", "/tokens", {
      sub: "alice",
      scope: "openid offline_access",
      expiresIn: "10m",
      claims: { tier: "gold" },
    });
    assertEquals([body.expires_in, typeof body.id_token, typeof body.refresh_token], [
      600,
      "string",
      "string",
    ]);
  },
  async "POST /evaluate"(lab) {
    const asked = { user: "alice", client: "demo-spa", scope: "openid email" };
    const { body } = await call(lab, "POST", "/evaluate", asked);
    assertEquals(body.userinfo.claims.email, "alice@example.com");
    assertEquals((await call(lab, "POST", "/evaluate", { user: 1 })).status, 400);
  },
  async "POST /codes"(lab) {
    const { body } = await call(lab, "POST", "/codes", { user: "alice", client: "demo-spa" });
    assertEquals([body.code.length, body.client_id, body.code_verifier.length], [
      43,
      "demo-spa",
      43,
    ]);
  },
  async "POST /authorize"(lab) {
    const { body } = await call(lab, "POST", "/authorize", {
      url: authorizationUrl(lab, { nonce: "n" }),
      user: "alice",
    });
    assertMatch(body.callback, /\/authorized\?code=/);
    assertMatch(body.code, /^[\w-]{43}$/);
    const denied = await call(lab, "POST", "/authorize", {
      url: authorizationUrl(lab, { nonce: "n" }),
      user: "alice",
      decision: "deny",
    });
    assertEquals(denied.body.error, "access_denied");
  },
  "GET /sign-in": async (lab) =>
    assertEquals((await call(lab, "GET", "/sign-in")).body, { user: null }),
  async "GET /flows/:id/html"(lab) {
    lab.clock.freeze();
    await lab.fetch(`${lab.issuer}/oauth2/authorize?client_id=x`);
    const { headers, body } = await call(lab, "GET", "/flows/flow-1/html");
    assertEquals(headers.get("Content-Type"), "text/html; charset=utf-8");
    assertEquals(body, await lab.exportFlow("flow-1"));
    assertEquals((await call(lab, "GET", "/flows/flow-2/html")).status, 400);
  },
  async "POST /requests/:id/replay"(lab) {
    const body = new URLSearchParams({ code: "s3cret", client_id: "x" });
    await lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST", body });
    const changes = { parameters: { client_id: "y", code: null, scope: ["a", "b"] }, fresh: true };
    const { body: result } = await call(lab, "POST", "/requests/1/replay", changes);
    assertEquals(
      result.differences.map(({ name, replay }: Json) => [name, replay]),
      [["code", []], ["client_id", ["y"]], ["scope", ["a", "b"]]],
    );
    assertEquals([result.replay.id, result.replay.replayOf], [2, 1]);
    assertMatch(JSON.stringify(result.differences), /"original":\["\[redacted\]"\]/);
    for (const path of ["/requests/9/replay", "/requests/x/replay"]) {
      assertEquals((await call(lab, "POST", path, {})).status, 400);
    }
  },
  "POST /sign-in": async (lab) =>
    assertEquals((await call(lab, "POST", "/sign-in", { user: "bob" })).body, { user: "bob" }),
  async "DELETE /sign-in"(lab) {
    lab.signIn("bob");
    assertEquals((await call(lab, "DELETE", "/sign-in")).body, { user: null });
  },
  async "POST /responses"(lab) {
    await call(lab, "POST", "/responses", { at: "jwks", status: 503, client: undefined });
    assertEquals((await lab.fetch(`${lab.issuer}/oauth2/jwks`)).status, 503);
  },
  async "POST /changes"(lab) {
    const { body } = await call(lab, "POST", "/changes", { at: "jwks", set: { keys: [] } });
    assertEquals([body.point, body.change], ["response", { set: { keys: [] } }]);
    const keys = await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).json();
    assertEquals(keys, { keys: [] });
  },
  async "GET /changes"(lab) {
    lab.on("response", () => {});
    lab.changeResponse("jwks", { status: 203, client: "web" });
    const { body } = await call(lab, "GET", "/changes");
    assertEquals(body.map(({ at, client, change, fired }: Json) => [at, client, change, fired]), [
      ["jwks", "web", { status: 203 }, 0],
    ]);
  },
  async "DELETE /changes"(lab) {
    lab.on("response", () => {});
    lab.changeResponse("jwks", { status: 203 });
    await call(lab, "DELETE", "/changes");
    assertEquals((await lab.fetch(`${lab.issuer}/oauth2/jwks`)).status, 200);
    assertEquals(lab.report().idleFaults, []);
  },
  async "DELETE /changes/:id"(lab) {
    const { id } = lab.changeResponse("jwks", { status: 203 });
    await call(lab, "DELETE", `/changes/${id}`);
    assertEquals((await lab.fetch(`${lab.issuer}/oauth2/jwks`)).status, 200);
    assertMatch(
      (await call(lab, "DELETE", `/changes/${id}`)).body.error_description,
      /There is no change/,
    );
  },
  async "POST /claims"(lab) {
    const { body } = await call(lab, "POST", "/claims", { claims: { a: 1 }, times: 1 });
    assertEquals([body.point, body.fired], ["claims", 0]);
  },
  async "DELETE /claims"(lab) {
    await call(lab, "POST", "/claims", { claims: { a: 1 } });
    await call(lab, "DELETE", "/claims");
    assertEquals(lab.report().idleFaults, []);
  },
  async "POST /values"(lab) {
    const { body } = await call(lab, "POST", "/values", { code: ["one", "two"], state: "s" });
    assertEquals([body.kinds, body.used, body.state], [["code"], { code: 0 }, "s"]);
  },
  async "GET /values"(lab) {
    lab.values({ accessToken: "first" });
    const { body } = await call(lab, "GET", "/values");
    assertEquals(body, [{ id: "values-1", kinds: ["accessToken"], used: { accessToken: 0 } }]);
  },
  async "DELETE /values"(lab) {
    lab.values({ accessToken: "first" });
    await call(lab, "DELETE", "/values");
    assertNotEquals((await lab.mint({ sub: "alice" })).token, "first");
  },
  async "POST /faults"(lab) {
    const { body } = await call(lab, "POST", "/faults", {
      name: "token.server_error",
      client: "web",
      times: 1,
    });
    assertEquals([body.id, body.name, body.client, body.fired], [
      "fault-1",
      "token.server_error",
      "web",
      0,
    ]);
  },
  async "GET /faults"(lab) {
    await call(lab, "POST", "/faults", { name: "jwks.empty" });
    await lab.fetch(`${lab.issuer}/oauth2/jwks`);
    assertEquals((await call(lab, "GET", "/faults")).body[0].fired, 1);
  },
  async "DELETE /faults"(lab) {
    await call(lab, "POST", "/faults", { name: "jwks.empty" });
    await call(lab, "DELETE", "/faults");
    assertEquals((await call(lab, "GET", "/faults")).body, []);
  },
  async "GET /faults/catalogue"(lab) {
    const { body } = await call(lab, "GET", "/faults/catalogue");
    assert(body.length > 130);
    assertEquals(Object.keys(body[0]), ["name", "what"]);
  },
  async "GET /faults/:id"(lab) {
    const { id } = (await call(lab, "POST", "/faults", { name: "jwks.empty" })).body;
    assertEquals((await call(lab, "GET", `/faults/${id}`)).body.name, "jwks.empty");
  },
  async "DELETE /faults/:id"(lab) {
    const { id } = (await call(lab, "POST", "/faults", { name: "jwks.empty" })).body;
    assertEquals((await call(lab, "DELETE", `/faults/${id}`)).status, 200);
    assertMatch(
      (await call(lab, "DELETE", `/faults/${id}`)).body.error_description,
      /There is no fault/,
    );
  },
  async "GET /clock"(lab) {
    lab.clock.set("2030-01-01T00:00:00Z");
    lab.clock.freeze();
    assertEquals((await call(lab, "GET", "/clock")).body.frozen, true);
  },
  async "POST /clock"(lab) {
    await call(lab, "POST", "/clock", { freeze: true });
    await call(lab, "POST", "/clock", { set: "2030-01-01T00:00:00Z" });
    assertEquals((await call(lab, "POST", "/clock", { advance: "1h" })).body, {
      now: "2030-01-01T01:00:00.000Z",
      frozen: true,
    });
    assertEquals((await call(lab, "POST", "/clock", { freeze: false })).body.frozen, false);
    assertEquals((await call(lab, "POST", "/clock", {})).status, 400);
  },
  async "GET /requests"(lab) {
    const waiting = call(lab, "GET", "/requests?path=/oauth2/jwks&wait=5s");
    await lab.fetch(`${lab.issuer}/oauth2/jwks`);
    assertEquals((await waiting).body.map(({ path }: Json) => path), ["/oauth2/jwks"]);
    assertEquals((await call(lab, "GET", "/requests?path=&client=&wait=5s")).body.length, 1);
    assertEquals((await call(lab, "GET", "/requests?status=ok")).status, 400);
    assertEquals((await call(lab, "GET", "/requests?path=/oauth2/token&wait=1ms")).body, []);
    await lab.fetch(`${lab.issuer}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({ code: "s3cret", client_id: "x" }),
    });
    assertEquals(
      (await call(lab, "GET", "/requests?client=x")).body[0].parameters.code,
      "[redacted]",
    );
    assertEquals(
      (await call(lab, "GET", "/requests?client=x&secrets=true")).body[0].parameters.code,
      "s3cret",
    );
  },
  async "DELETE /requests"(lab) {
    await lab.fetch(`${lab.issuer}/oauth2/jwks`);
    await call(lab, "DELETE", "/requests");
    assertEquals((await call(lab, "GET", "/requests")).body, []);
  },
  async "GET /flows"(lab) {
    await lab.authorize(authorizationUrl(lab, { nonce: "n" }), { user: "alice" });
    assertEquals((await call(lab, "GET", "/flows")).body[0].state, "abc");
  },
  async "GET /report"(lab) {
    await lab.fetch(`${lab.issuer}/oauth2/userinfo?access_token=abc`);
    const { body } = await call(lab, "GET", "/report");
    assertEquals([body.clean, body.findings[0].id], [false, "token-in-uri"]);
    const page = await call(lab, "GET", "/report", undefined, { Accept: "text/html" });
    assertMatch(page.body, /An access token must never be part of a URI/);
  },
  async "POST /drill"(lab) {
    const { status, body } = await call(lab, "POST", "/drill", { start: "https://app.example/" });
    assertEquals(status, 400);
    assertMatch(body.error_description, /sends no request to https:\/\/app\.example/);
  },
  async "GET /drill"(lab) {
    assertEquals((await call(lab, "GET", "/drill")).body.state, "none");
  },
  async "GET /events"(lab) {
    const response = await lab.fetch(`${lab.issuer}/lab/events`);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    assertMatch((await reader.read()).value!, /listening/);
    await lab.mint({ sub: "alice" });
    let told = "";
    while (!told.includes("token.issued")) told += (await reader.read()).value!;
    assertMatch(told, /event: token.issued\ndata: \{.*\}\n\n$/);
    await reader.cancel();
  },
  async "POST /reset"(lab) {
    await call(lab, "POST", "/faults", { name: "jwks.empty" });
    assertEquals((await call(lab, "POST", "/reset")).status, 200);
    assertEquals(lab.faults.list(), []);
  },
  async "GET /settings"(lab) {
    // Each change makes a server, which derives keys in the background; minting waits for them.
    await lab.mint({ sub: "alice" });
    lab.configure({
      requirePar: true,
      registration: { initialAccessToken: "x".repeat(32) },
      secret: "y".repeat(32),
      lifetimes: { code: "5s" },
    });
    await lab.mint({ sub: "alice" });
    assertEquals((await call(lab, "GET", "/settings")).body, {
      requirePar: true,
      registration: {},
      lifetimes: { code: "5s" },
    });
  },
  async "POST /settings"(lab) {
    const { body } = await call(lab, "POST", "/settings", { lifetimes: { accessToken: "2m" } });
    assertEquals(body, { lifetimes: { accessToken: "2m" } });
    assertEquals((await lab.mint({ sub: "alice" })).expires_in, 120);
  },
  async "DELETE /settings"(lab) {
    lab.configure({ lifetimes: { accessToken: "2m" } });
    assertEquals((await call(lab, "DELETE", "/settings")).body, {});
    assertEquals((await lab.mint({ sub: "alice" })).expires_in, 3600);
  },
  async "POST /tenants"(lab) {
    const { body } = await call(lab, "POST", "/tenants", { users: [{ name: "zoe" }] });
    assertEquals(body, { id: "1", issuer: "https://hallpass.test/t/1" });
    const below = await lab.fetch(`${body.issuer}/lab/users`);
    assertEquals((await below.json() as Json).map(({ name }: Json) => name), ["zoe"]);
  },
  async "GET /tenants"(lab) {
    await call(lab, "POST", "/tenants", { id: "acme" });
    assertEquals((await call(lab, "GET", "/tenants")).body, [{
      id: "acme",
      issuer: "https://hallpass.test/t/acme",
    }]);
  },
  async "DELETE /tenants/:id"(lab) {
    await call(lab, "POST", "/tenants", { id: "acme" });
    await call(lab, "DELETE", "/tenants/acme");
    assertMatch(
      (await call(lab, "DELETE", "/tenants/acme")).body.error_description,
      /There is no tenant 'acme', nor any other\./,
    );
  },
  async "POST /client-documents"(lab) {
    const { body } = await call(lab, "POST", "/client-documents", { client_name: "Notes" });
    assertEquals(body.document, { client_name: "Notes", client_id: body.url });
  },
  async "GET /client-documents"(lab) {
    const hosted = lab.clientDocument({ client_name: "Notes" });
    assertEquals((await call(lab, "GET", "/client-documents")).body, [hosted]);
  },
  async "DELETE /client-documents/:id"(lab) {
    const { id } = lab.clientDocument({ client_name: "Notes" });
    await call(lab, "DELETE", `/client-documents/${id}`);
    assertEquals((await call(lab, "GET", "/client-documents")).body, []);
  },
  async "POST /snapshots"(lab) {
    assertEquals((await call(lab, "POST", "/snapshots")).body, { id: "snapshot-1" });
  },
  async "POST /snapshots/:id"(lab) {
    const { body: { id } } = await call(lab, "POST", "/snapshots");
    await call(lab, "PUT", "/users/dora", {});
    await call(lab, "POST", `/snapshots/${id}`);
    assertEquals((await call(lab, "GET", "/users")).body.length, 3);
  },
  "GET /users": async (lab) => assertEquals((await call(lab, "GET", "/users")).body.length, 3),
  "GET /users/:name": async (lab) =>
    assertEquals((await call(lab, "GET", "/users/alice")).body.claims.name, "Alice Adler"),
  async "PUT /users/:name"(lab) {
    await call(lab, "PUT", "/users/dora", { claims: { name: "Dora" } });
    assertEquals((await call(lab, "POST", "/tokens", { sub: "dora" })).status, 200);
    assertMatch(
      (await call(lab, "PUT", "/users/dora", { clams: {} })).body.error_description,
      /clams is not a setting/,
    );
  },
  async "DELETE /users/:name"(lab) {
    await call(lab, "DELETE", "/users/bob");
    assertMatch(
      (await call(lab, "GET", "/users/bob")).body.error_description,
      /Choose one of: alice, carol/,
    );
  },
  "GET /clients": async (lab) => assert((await call(lab, "GET", "/clients")).body.length > 3),
  "GET /clients/:id": async (lab) =>
    assertEquals((await call(lab, "GET", "/clients/demo-spa")).body.id, "demo-spa"),
  async "PUT /clients/:id"(lab) {
    await call(lab, "PUT", "/clients/mine", { secret: "s", scopes: ["read"] });
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: "mine",
      client_secret: "s",
    });
    assertEquals(
      (await lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST", body })).status,
      200,
    );
  },
  async "DELETE /clients/:id"(lab) {
    await call(lab, "DELETE", "/clients/demo-web");
    assertEquals((await call(lab, "GET", "/clients/demo-web")).status, 400);
  },
  async "GET /openapi.json"(lab) {
    const { body } = await call(lab, "GET", "/openapi.json");
    assertEquals([body.openapi, body.servers[0].url], ["3.1.0", "https://hallpass.test/lab"]);
  },
};

describe("The lab over HTTP", () => {
  for (const { method, path, summary } of operations) {
    it(`${method} /lab${path}: ${summary}`, async () => {
      await using lab = await hallpass();
      const check = checks[`${method} ${path}`];
      assert(check, "no check of this operation");
      await check(lab);
    });
  }

  const badBodies: Array<[method: string, path: string, body: unknown]> = [
    ...[{ now: 5 }, { store: {} }, { onEvent: 1 }, { policies: 1 }, { labToken: "x" }, { foo: 1 }]
      .map(forTenant),
    ...[{ users: "x" }, { users: null }, { clients: [1] }, { anyClient: "yes" }, { id: 5 }, {
      lifetimes: 3,
    }, { alg: "none" }].map(
      forTenant,
    ),
    ["POST", "/clock", { set: null }],
    ["POST", "/clock", { set: [2020] }],
    ["POST", "/clock", { set: 8.64e15 }],
    ["POST", "/clock", { advance: 1e20 }],
    ["POST", "/clock", { set: "2030-01-01", advance: 1e20 }],
    ["POST", "/clock", { set: "1969-01-01" }],
    ["POST", "/tokens", { sub: "alice", claims: 5 }],
    ["POST", "/tokens", { sub: "alice", audience: null }],
    ["POST", "/authorize", { url: "http://[", user: "alice" }],
    ["POST", "/authorize", { url: "/", user: 5 }],
  ];
  for (const [method, path, body] of badBodies) {
    it(`rejects ${method} /lab${path} with ${JSON.stringify(body)}, and changes nothing`, async () => {
      await using lab = await hallpass({ now: () => Date.UTC(2026, 0, 1) });
      const response = await call(lab, method, path, body);
      assertEquals([response.status, response.body.error], [400, "invalid_request"]);
      const tenants = (await call(lab, "GET", "/tenants")).body;
      assertEquals([tenants, lab.clock.now(), lab.requests()], [[], Date.UTC(2026, 0, 1), []]);
    });
  }

  it("opens a tenant with any setting that JSON can hold", async () => {
    await using lab = await hallpass();
    const { body: { issuer } } = await call(lab, "POST", "/tenants", {
      alg: "ES256",
      acrValues: ["gold"],
      requirePar: true,
      idTokenAlgs: ["PS256"],
      scopes: { openid: "Know you", vault: "Open the vault" },
      clients: [{ id: "web", redirectUris: ["https://app.example/cb"] }],
      lifetimes: { code: "10s" },
    });
    const url = `${issuer}/.well-known/openid-configuration`;
    const metadata = await (await lab.fetch(url)).json() as Json;
    assertEquals(metadata.acr_values_supported, ["gold"]);
    assertEquals(metadata.require_pushed_authorization_requests, true);
    assertEquals(metadata.scopes_supported, ["openid", "vault"]);
    assert(metadata.id_token_signing_alg_values_supported.includes("PS256"));
  });

  it("describes every setting of the JSON Schema for a tenant, except the addresses and the program's", async () => {
    await using lab = await hallpass();
    const { body } = await call(lab, "GET", "/openapi.json");
    const { properties } = body.components.schemas.TenantSettings;
    const others = ["$schema", "issuer", "frontChannelUrl", "backChannelUrl", "drillOrigins"]
      .concat(Object.keys(programSchema.members));
    const settings = Object.keys(configSchema.properties).filter((name) => !others.includes(name));
    assertEquals(
      Object.keys(properties).sort(),
      ["id", "issuer", "reuse", "redirectUris", ...settings].sort(),
    );
  });

  for (const kind of ["access", "id", "refresh", "logout"]) {
    it(`R11: refuses a lifetime of more than 100 years for a token (${kind})`, async () => {
      await using lab = await hallpass();
      for (const expiresIn of [1e308, -1e308, "36501d", "-36501d"]) {
        const body = { sub: "alice", scope: "openid offline_access", kind, expiresIn };
        const { status, body: { error_description } } = await call(lab, "POST", "/tokens", body);
        assertEquals(status, 400);
        assertMatch(error_description, /'expiresIn' must be at most 36500d, before or after now/);
      }
    });
  }

  it("R11: signs tokens that expire in 100 years, or did 100 years ago", async () => {
    await using lab = await hallpass();
    for (const expiresIn of ["36500d", "-36500d"]) {
      const body = { sub: "alice", scope: "openid offline_access", expiresIn };
      assertEquals((await call(lab, "POST", "/tokens", body)).status, 200);
    }
  });

  it("U3: takes the scopes of a tenant as a list, too, as a lab does", async () => {
    await using lab = await hallpass({ scopes: ["openid", "vault"] });
    const tenant = { scopes: ["openid", "safe"] };
    const { status, body: { issuer } } = await call(lab, "POST", "/tenants", tenant);
    const url = `${issuer}/.well-known/openid-configuration`;
    const metadata = await (await lab.fetch(url)).json() as Json;
    assertEquals([status, metadata.scopes_supported], [200, ["openid", "safe"]]);
    const wrong = await call(lab, "POST", "/tenants", { scopes: [1] });
    assertEquals(wrong.status, 400);
  });

  it("F11: lists the faults if a request names none", async () => {
    await using lab = await hallpass();
    const { status, body } = await call(lab, "POST", "/faults", { client: "web" });
    assertEquals([status, body.error], [400, "invalid_request"]);
    assertMatch(body.error_description, /'name'.*token\.server_error/);
  });

  /** Values of wrong types; nested ones as well, because a list of clients has members. */
  const wrongValues = [null, 0, -1, 1e20, "", "\n", true, [], [null], {}, { a: { b: null } }];
  for (const { method, path, body } of operations.filter(({ method }) => method !== "GET")) {
    it(`F11: responds to ${method} /lab${path} with a status below 500 for any body`, async () => {
      await using lab = await hallpass();
      const where = path.replace(/:\w+/, "mine");
      const { properties = {} } = body ? bodySchema(await loadLabSchemas(), body) : {};
      const bodies = [...Object.keys(properties), "unknown"].flatMap((name) =>
        wrongValues.map((value) => ({ [name]: value }))
      );
      for (const sent of [undefined, {}, ...bodies]) {
        assert((await call(lab, method, where, sent)).status < 500, JSON.stringify(sent));
      }
    });
  }

  it("is described in OpenAPI: every operation, and nothing else", async () => {
    await using lab = await hallpass();
    const { body } = await call(lab, "GET", "/openapi.json");
    const described = Object.entries(body.paths as Record<string, Json>)
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) =>
          `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/, ":$1")}`
        )
      );
    assertEquals(
      described.sort(),
      operations.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    const ids = Object.values(body.paths as Record<string, Json>).flatMap((methods) =>
      Object.values(methods as Json).map(({ operationId }: Json) => operationId)
    );
    assertEquals(new Set(ids).size, ids.length);
  });

  const refusals: Array<
    [
      what: string,
      options: HallpassOptions,
      request: { url?: string; headers?: Record<string, string>; body?: string },
      status: number,
    ]
  > = [
    ["a page of another origin", {}, {
      headers: { Origin: "https://evil.example", "Content-Type": "application/json" },
    }, 403],
    [
      "a page of no origin",
      {},
      { headers: { Origin: "null", "Content-Type": "application/json" } },
      403,
    ],
    ["a different host name (DNS rebinding)", {}, {
      url: "https://evil.example/lab/tokens",
      headers: { "Content-Type": "application/json" },
    }, 403],
    ["a form, which any page can send", {}, {
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "sub=alice",
    }, 400],
    ["text, which any page can send", {}, { headers: { "Content-Type": "text/plain" } }, 400],
    ["a request without the token", { labToken }, {
      headers: { "Content-Type": "application/json" },
    }, 401],
    ["a wrong token", { labToken }, {
      headers: { "Content-Type": "application/json", Authorization: "Bearer other" },
    }, 401],
    ["malformed JSON", {}, { headers: { "Content-Type": "application/json" }, body: "{" }, 400],
    ["a list", {}, { headers: { "Content-Type": "application/json" }, body: "[]" }, 400],
    ["an unknown client", {}, {
      headers: { "Content-Type": "application/json" },
      body: '{"sub":"alice","client":"none"}',
    }, 400],
  ];
  for (const [what, options, { url, headers, body = '{"sub":"alice"}' }, status] of refusals) {
    it(`rejects ${what} with ${status}, and issues no token`, async () => {
      await using lab = openLab({ issuer: "https://hallpass.test", ...options });
      const response = await lab.fetch(
        new Request(url ?? `${lab.issuer}/lab/tokens`, {
          method: "POST",
          headers: { ...headers },
          body,
        }),
      );
      assertEquals(response.status, status);
      assert(!(await response.text()).includes("access_token"));
    });
  }

  it("accepts the token under any host name, for tenants as well", async () => {
    await using lab = openLab({ issuer: "https://hallpass.test", labToken });
    const headers = { Authorization: `Bearer ${labToken}` };
    const tenant = await lab.tenant();
    for (const url of ["http://hallpass:9000/lab/clock", `${tenant.issuer}/lab/clock`]) {
      assertEquals((await lab.fetch(new Request(url, { headers }))).status, 200);
      assertEquals((await lab.fetch(new Request(url))).status, 401);
    }
  });

  it("L14: limits a network that tries wrong tokens, but no other network", async () => {
    await using lab = openLab({ issuer: "https://hallpass.test", labToken, now: () => 0 });
    const ask = async (token: string | undefined, address: string) => {
      const headers: HeadersInit = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      return (await lab.fetch(
        withAddress(new Request(`${lab.issuer}/lab/clock`, { headers }), address),
      )).status;
    };
    for (let n = 0; n < 60; n++) assertEquals(await ask(`wrong ${n}`, "192.0.2.66"), 401);
    assertEquals([
      await ask("wrong", "192.0.2.66"),
      await ask(labToken, "192.0.2.66"),
      await ask(labToken, "192.0.2.1"),
    ], [429, 429, 200]);
    assertEquals(await ask(undefined, "192.0.2.66"), 401);
  });

  it("L14: rejects a token of fewer than 16 characters", () => {
    const open = (labToken: string) => openLab({ issuer: "https://hallpass.test", labToken });
    assertThrows(
      () => open("fifteen letters"),
      LabError,
      "The labToken must have at least 16 characters",
    );
    assert(open("sixteen letters!"));
  });

  it("can be left to its own port, and then exists nowhere else, for tenants neither", async () => {
    await using lab = openLab({ issuer: "http://localhost:9000", controlApart: true });
    const tenant = await lab.tenant({ id: "acme" });
    for (const path of ["/lab/clock", "/t/acme/lab/clock"]) {
      assertEquals((await lab.fetch(new Request(`http://localhost:9000${path}`))).status, 404);
      assertEquals(
        (await lab.control.fetch(new Request(`http://localhost:9001${path}`))).status,
        200,
      );
    }
    assertEquals(
      (await lab.control.fetch(new Request("http://localhost:9001/oauth2/jwks"))).status,
      404,
    );
    assertEquals((await tenant.fetch(new Request(`${tenant.issuer}/health`))).status, 200);
  });

  it("reports what is wrong with an entry, without its path in a configuration", async () => {
    await using lab = await hallpass();
    const { status, body } = await call(lab, "PUT", "/clients/mine", {
      redirectUris: ["nonsense"],
    });
    assertEquals([status, body.error_description], [
      400,
      "Cannot set the client 'mine': redirectUris[0] is not an absolute URI.",
    ]);
  });

  it("does not exist in a server that is not a lab", async () => {
    const { createServer } = await import("../../src/server/server.ts");
    const server = createServer({ issuer: "https://hallpass.test" });
    for (const path of ["/lab", "/lab/tokens", "/lab/openapi.json", "/lab/report"]) {
      assertEquals((await server.fetch(new Request(`https://hallpass.test${path}`))).status, 404);
    }
    await server.close();
  });

  it("responds with 404 for an unknown path, and with 405 for a wrong method", async () => {
    await using lab = await hallpass();
    assertEquals((await call(lab, "GET", "/nothing")).status, 404);
    assertEquals((await call(lab, "PUT", "/clock", {})).status, 405);
  });
});
