import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { bodySchema, loadLabSchemas } from "../../src/lab/control/lab_schemas.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import { operations } from "../../src/lab/routes/operation_table.ts";
import { hallpass, type HallpassOptions } from "../../src/lab/testing/mod.ts";
import { LabError } from "../../src/lab/util/lab_error.ts";
import { programSchema } from "../../src/program/configuration/program_config.ts";
import configSchema from "../../static/config.schema.json" with { type: "json" };
import { itWith } from "../support/it_with.ts";
import { callLab } from "../support/lab_call.ts";
import { authorizationUrl } from "../support/login.ts";
import { needs } from "../support/where_feature.ts";
import { withAddress } from "../support/with_address.ts";

const it = itWith({ inLab: () => hallpass() });

const labToken = "a-token-of-32-letters-and-digits";

// deno-lint-ignore no-explicit-any
type Json = any;

const ofJson = { "Content-Type": "application/json" };

describe("The lab over HTTP", () => {
  it.inLab("streams events: GET /events", async (lab) => {
    const response = await lab.fetch(`${lab.issuer}/lab/events`);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    assertMatch((await reader.read()).value!, /listening/);
    await lab.mint({ sub: "alice" });
    let streamed = "";
    while (!streamed.includes("token.issued")) streamed += (await reader.read()).value!;
    assertMatch(streamed, /event: token.issued\ndata: \{.*\}\n\n$/);
    await reader.cancel();
  });

  it.inLab("lists the faults: GET /faults/catalogue", needs("faults"), async (lab) => {
    const { json } = await callLab(lab, "GET /faults/catalogue");
    assert(json.length > 130);
    assertEquals(Object.keys(json[0]), ["name", "what"]);
  });

  it.inLab("waits for a request, and takes empty parameters for none: GET /requests", async (lab) => {
    const waiting = callLab(lab, "GET /requests?path=/oauth2/jwks&wait=5s");
    await lab.fetch(`${lab.issuer}/oauth2/jwks`);
    assertEquals((await waiting).json.map(({ path }: Json) => path), ["/oauth2/jwks"]);
    assertEquals((await callLab(lab, "GET /requests?path=&client=&wait=5s")).json.length, 1);
    assertEquals((await callLab(lab, "GET /requests?status=ok")).status, 400);
    assertEquals((await callLab(lab, "GET /requests?path=/oauth2/token&wait=1ms")).json, []);
  });

  it.inLab("shows secrets only if it is asked to: GET /requests?secrets=true", async (lab) => {
    const { code } = await lab.authorize(authorizationUrl(lab), { user: "alice" });
    const shown = async (query: string) =>
      JSON.stringify((await callLab(lab, `GET /requests${query}`)).json).includes(code ?? "none");
    assertEquals([await shown(""), await shown("?secrets=true")], [false, true]);
  });

  it.inLab("shows no secret of its settings: GET /settings", async (lab) => {
    lab.configure({
      requirePar: true,
      registration: { initialAccessToken: "x".repeat(32) },
      secret: "y".repeat(32),
    });
    // Each change makes a server, which derives keys in the background; minting waits for them.
    await lab.mint({ sub: "alice" });
    const { json } = await callLab(lab, "GET /settings");
    assertEquals(json, { requirePar: true, registration: {} });
  });

  const badBodies: Array<[operation: string, body: unknown, ...features: string[]]> = [
    ...[
      ...[{ now: 5 }, { store: {} }, { onEvent: 1 }, { policies: 1 }, { labToken: "x" }],
      ...[{ users: "x" }, { users: null }, { clients: [1] }, { anyClient: "yes" }, { id: 5 }],
      ...[{ lifetimes: 3 }, { alg: "none" }, { scopes: [1] }, { foo: 1 }],
    ].map((body): [string, unknown] => ["POST /tenants", body]),
    ...[
      ...[{ set: null }, { set: [2020] }, { set: 8.64e15 }, { set: "1969-01-01" }],
      ...[{ advance: 1e20 }, { set: "2030-01-01", advance: 1e20 }],
    ].map((body): [string, unknown] => ["POST /clock", body]),
    ["POST /tokens", { sub: "alice", claims: 5 }],
    ["POST /tokens", { sub: "alice", audience: null }],
    ["POST /authorize", { url: "http://[", user: "alice" }],
    ["POST /authorize", { url: "/", user: 5 }],
    ["POST /sign-in", { user: 5 }],
    ["POST /sign-in", { user: "bob", times: 0 }],
    ["POST /sign-in", { user: "bob", decision: "denied" }],
    ["POST /responses", {}, "faults"],
    ["POST /faults", { name: "token.claims" }, "faults"],
    ["POST /faults", { name: "token.changed", sett: {} }, "faults"],
    ["POST /settings", { mcp: { tools: {} } }],
    ["POST /faults", { name: "token.claims", claims: {}, time: 1 }, "faults"],
  ];
  for (const [operation, body, ...features] of badBodies) {
    const title = `rejects ${operation} with ${JSON.stringify(body)}, and changes nothing`;
    it(title, needs(...features), async () => {
      await using lab = await hallpass({ now: () => Date.UTC(2026, 0, 1) });
      const response = await callLab(lab, operation, body);
      assertEquals([response.status, response.json.error], [400, "invalid_request"]);
      const tenants = (await callLab(lab, "GET /tenants")).json;
      assertEquals([tenants, lab.clock.now(), lab.requests()], [[], Date.UTC(2026, 0, 1), []]);
      assertEquals((await callLab(lab, "GET /sign-in")).json, { user: null });
    });
  }

  it("stops the clock at the time that it sets: POST /clock", async () => {
    let machine = 0;
    await using lab = await hallpass({ now: () => machine++ });
    const { json } = await callLab(lab, "POST /clock", { set: "2030-01-01", freeze: true });
    assertEquals([json.now, json.frozen], ["2030-01-01T00:00:00.000Z", true]);
  });

  it.inLab("describes every setting of the JSON Schema for a tenant, except the addresses and the program's", async (lab) => {
    const { json } = await callLab(lab, "GET /openapi.json");
    const { properties } = json.components.schemas.TenantSettings;
    const others = ["$schema", "issuer", "frontChannelUrl", "backChannelUrl", "drillOrigins"]
      .concat(Object.keys(programSchema.members));
    const settings = Object.keys(configSchema.properties).filter((name) => !others.includes(name));
    assertEquals(
      Object.keys(properties).sort(),
      ["id", "issuer", "reuse", "redirectUris", ...settings].sort(),
    );
  });

  it.inLab("F11: lists the faults if a request names none", needs("faults"), async (lab) => {
    const { status, json } = await callLab(lab, "POST /faults", { client: "web" });
    assertEquals([status, json.error], [400, "invalid_request"]);
    assertMatch(json.error_description, /'name'.*token\.server_error/);
  });

  /** Values of wrong types; nested ones as well, because a list of clients has members. */
  const wrongValues = [null, 0, -1, 1e20, "", "\n", true, [], [null], {}, { a: { b: null } }];
  for (const { method, path, body } of operations.filter(({ method }) => method !== "GET")) {
    it.inLab(`F11: responds to ${method} /lab${path} with a status below 500 for any body`, async (lab) => {
      const where = path.replace(/:\w+/, "mine");
      const { properties = {} } = body ? bodySchema(await loadLabSchemas(), body) : {};
      const bodies = [...Object.keys(properties), "unknown"].flatMap((name) =>
        wrongValues.map((value) => ({ [name]: value }))
      );
      for (const sent of [undefined, {}, ...bodies]) {
        assert((await callLab(lab, `${method} ${where}`, sent)).status < 500, JSON.stringify(sent));
      }
    });
  }

  it.inLab("is described in OpenAPI: every operation, and nothing else", async (lab) => {
    const { json } = await callLab(lab, "GET /openapi.json");
    const described = Object.entries(json.paths as Record<string, Json>)
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) =>
          `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/, ":$1")}`
        )
      );
    assertEquals(
      described.sort(),
      operations.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    const ids = Object.values(json.paths as Record<string, Json>).flatMap((methods) =>
      Object.values(methods as Json).map(({ operationId }: Json) => operationId)
    );
    assertEquals(new Set(ids).size, ids.length);
  });

  it.inLab("has no JSON in OpenAPI where it returns other formats alone", async (lab) => {
    const { json } = await callLab(lab, "GET /openapi.json");
    for (const { method, path, returns, otherFormats = [], statuses = [200] } of operations) {
      const described = json.paths[path.replace(/:(\w+)/, "{$1}")][method.toLowerCase()];
      const hasJson = returns !== undefined || otherFormats.length === 0;
      assertEquals(
        Object.keys(described.responses[statuses[0] ?? 200].content),
        [...hasJson ? ["application/json"] : [], ...otherFormats],
        path,
      );
    }
  });

  type RefusedRequest = { url?: string; headers: Record<string, string>; body?: string };
  const refusals: Array<[string, HallpassOptions, RefusedRequest, status: number]> = [
    ["a page of another origin", {}, {
      headers: { ...ofJson, Origin: "https://evil.example" },
    }, 403],
    ["a page of no origin", {}, { headers: { ...ofJson, Origin: "null" } }, 403],
    ["a different host name (DNS rebinding)", {}, {
      url: "https://evil.example/lab/tokens",
      headers: ofJson,
    }, 403],
    ["T4: an empty Host, for which a listener wrote its own", {}, {
      headers: { ...ofJson, Host: "" },
    }, 403],
    ["T4: a Host that is only a port", {}, { headers: { ...ofJson, Host: ":9000" } }, 403],
    ["a page of another site, which sends no Origin", {}, {
      headers: { ...ofJson, "Sec-Fetch-Site": "cross-site" },
    }, 403],
    ["a page of another port, which sends no Origin", {}, {
      headers: { ...ofJson, "Sec-Fetch-Site": "same-site" },
    }, 403],
    ["a form, which any page can send", {}, {
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "sub=alice",
    }, 400],
    ["text, which any page can send", {}, { headers: { "Content-Type": "text/plain" } }, 400],
    ["a request without the token", { labToken }, { headers: ofJson }, 401],
    ["a wrong token", { labToken }, { headers: { ...ofJson, Authorization: "Bearer other" } }, 401],
    ["malformed JSON", {}, { headers: ofJson, body: "{" }, 400],
    ["a list", {}, { headers: ofJson, body: "[]" }, 400],
    ["an unknown client", {}, { headers: ofJson, body: '{"sub":"alice","client":"none"}' }, 400],
  ];
  for (const [what, options, { url, headers, body = '{"sub":"alice"}' }, status] of refusals) {
    it(`rejects ${what} with ${status}, and issues no token`, async () => {
      await using lab = openLab({ issuer: "https://hallpass.test", ...options });
      const response = await lab.fetch(
        new Request(url ?? `${lab.issuer}/lab/tokens`, { method: "POST", headers, body }),
      );
      assertEquals(response.status, status);
      assert(!(await response.text()).includes("access_token"));
    });
  }

  it("reads and changes for its own pages and for programs, and reads for a link", async () => {
    await using lab = openLab({ issuer: "https://hallpass.test" });
    const ask = async (method: string, headers: HeadersInit) =>
      (await lab.fetch(new Request(`${lab.issuer}/lab/clock`, { method, headers }))).status;
    assertEquals(await ask("POST", {}), 200);
    assertEquals(await ask("POST", { "Sec-Fetch-Site": "same-origin", Origin: lab.issuer }), 200);
    assertEquals(await ask("POST", { "Sec-Fetch-Site": "none" }), 200);
    assertEquals(await ask("GET", { "Sec-Fetch-Site": "cross-site" }), 200);
    assertEquals(await ask("DELETE", { "Sec-Fetch-Site": "cross-site" }), 403);
  });

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
    assertEquals(await ask("wrong", "192.0.2.66"), 429);
    assertEquals(await ask(labToken, "192.0.2.66"), 429);
    assertEquals(await ask(labToken, "192.0.2.1"), 200);
    assertEquals(await ask(undefined, "192.0.2.66"), 401);
  });

  it("L14: rejects a token of fewer than 16 characters", () => {
    const open = (labToken: string) => openLab({ issuer: "https://hallpass.test", labToken });
    const attempt = () => open("fifteen letters");
    assertThrows(attempt, LabError, "The labToken must have at least 16 characters");
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

  it.inLab("responds with 404 for an unknown path, and with 405 for a wrong method", async (lab) => {
    assertEquals((await callLab(lab, "GET /nothing")).status, 404);
    assertEquals((await callLab(lab, "PUT /clock", {})).status, 405);
  });
});
