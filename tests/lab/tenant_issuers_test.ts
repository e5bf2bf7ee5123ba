import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { openLab } from "../../src/lab/open_lab.ts";
import type { LabEvent } from "../../src/lab/recording/lab_event.ts";
import { createRecorder } from "../../src/lab/recording/recorder.ts";
import { hallpass, type TenantConfig, type TestLab } from "../../src/lab/testing/mod.ts";
import { LabError } from "../../src/lab/util/lab_error.ts";
import { createLabLog } from "../../src/program/lab/lab_log.ts";
import { noColors } from "../../src/program/terminal/color.ts";
import type { ServerEvent } from "../../src/server/config/events.ts";
import { itWith } from "../support/it_with.ts";
import { callLab } from "../support/lab_call.ts";
import { login, misbehave } from "../support/login.ts";
import { clientAt, webClient } from "../support/provider_login.ts";
import { assertClean, assertReport } from "../support/reported.ts";
import { testClient } from "../support/test_client.ts";
import { needs } from "../support/where_feature.ts";

const it = itWith({ inLab: () => openLab({ issuer }) });

const labToken = "a-token-of-32-letters-and-digits";
const issuer = "http://localhost:9000";

// deno-lint-ignore no-explicit-any
type Json = any;

type OpenedLab = ReturnType<typeof openLab>;

/** Sends a request as a client does that found the lab's port under some name. */
async function send(lab: OpenedLab, host: string, path: string, headers = {}) {
  const response = await lab.fetch(new Request(`http://${host}${path}`, { headers }));
  const text = await response.text();
  return { status: response.status, json: text.startsWith("{") ? JSON.parse(text) as Json : text };
}

function postJson(url: string, body: object): Request {
  const headers = { "Content-Type": "application/json" };
  return new Request(url, { method: "POST", headers, body: JSON.stringify(body) });
}

describe("A tenant with an issuer of the test's choice", () => {
  const issuers: Array<[issuer: string, host: string, path: string]> = [
    ["https://login.example", "login.example", ""],
    ["https://login.example/", "login.example", ""],
    ["https://login.example/realms/acme/", "login.example:9000", "/realms/acme"],
    ["http://localhost:9000/realms/acme", "localhost:9000", "/realms/acme"],
    ["http://localhost:9000/realms/acme", "127.0.0.1:9000", "/realms/acme"],
    ["http://acme.localhost:9000", "acme.localhost:9000", ""],
  ];
  for (const [chosen, host, path] of issuers) {
    it.inLab(`is at ${chosen}, requested at ${host}`, async (lab) => {
      const tenant = await lab.tenant({ id: "acme", issuer: chosen });
      const metadata = await send(lab, host, `${path}/.well-known/openid-configuration`);
      assertEquals([tenant.issuer, metadata.json.issuer], [chosen, chosen]);
      const { iss } = JSON.parse(
        atob((await tenant.mint({ sub: "alice" })).access_token.split(".")[1] ?? ""),
      );
      assertEquals(iss, chosen);
      const own = await send(lab, "localhost:9000", "/.well-known/openid-configuration");
      assertEquals(own.json.issuer, issuer);
    });
  }

  for (const chosen of ["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080/"]) {
    it(`K5: is at another port than the lab, which keeps its paths: ${chosen}`, async () => {
      await using lab = openLab({ issuer });
      await lab.tenant({ id: "root", issuer: chosen });
      const realm = "http://localhost:8080/realm";
      await lab.tenant({ id: "realm", issuer: realm });
      const at = async (host: string, path = "") =>
        (await send(lab, host, `${path}/.well-known/openid-configuration`)).json.issuer;
      const { host } = new URL(chosen);
      assertEquals([await at(host), await at(host, "/realm")], [chosen, realm]);
      assertEquals([await at("localhost:9000"), await at("127.0.0.1:9000")], [issuer, issuer]);
      assertEquals((await send(lab, host, "/lab/clock")).status, 404);
      assertEquals((await send(lab, "localhost:9000", "/lab/clock")).status, 200);
    });
  }

  for (const token of [undefined, labToken]) {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const paths = ["/lab", "/lab/clock", "/lab/requests", "/realm/lab/clock", "/t/acme/lab/clock"];
    for (const chosen of ["https://login.example", "https://login.example/realm"]) {
      for (const path of paths) {
        it(`does not open ${path} at the host of ${chosen}, with token: ${token}`, async () => {
          await using lab = openLab({ issuer, labToken: token });
          await lab.tenant({ id: "acme", issuer: chosen });
          const { status, json } = await send(lab, "login.example", path, headers);
          assertEquals([status >= 400, json.now], [true, undefined]);
        });
      }
    }
  }

  it("has its interface over HTTP at the lab's own address, for the lab's own pages", async () => {
    await using lab = openLab({ issuer });
    await lab.tenant({ id: "acme", issuer: "https://login.example" });
    const path = "/t/acme/lab/openapi.json";
    assertEquals((await send(lab, "localhost:9000", path)).status, 200);
    const foreign = { Origin: "https://login.example" };
    assertEquals((await send(lab, "localhost:9000", path, foreign)).status, 403);
    const page = await send(lab, "localhost:9000", "/t/acme/lab/flows", { Accept: "text/html" });
    assertMatch(String(page.json), /href="\/t\/acme\/lab\/flows"/);
    assertEquals(String(page.json).includes('href="/lab/'), false);
  });

  const otherPlaces: Array<[settings: TenantConfig, asked: string, lab: string]> = [
    [{ id: "acme" }, "http://localhost:9000", "http://localhost:9000/t/acme/lab"],
    [{ id: "acme", issuer: `${issuer}/server1` }, issuer, "http://localhost:9000/t/acme/lab"],
    [
      { id: "acme", issuer: "https://login.example" },
      "http://127.0.0.1:9000",
      "http://127.0.0.1:9000/t/acme/lab",
    ],
  ];
  for (const [settings, asked, address] of otherPlaces) {
    it.inLab(`X9: comes with the address of its lab: ${settings.issuer}, ${asked}`, async (lab) => {
      const opened = await lab.fetch(postJson(`${asked}/lab/tenants`, settings));
      const listed = await lab.fetch(new Request(`${asked}/lab/tenants`));
      const { issuer, lab: own } = await opened.json();
      assertEquals(own, address);
      assertEquals(await listed.json(), [{ id: "acme", issuer, lab: own }]);
      assertEquals((await lab.fetch(postJson(`${own}/sign-in`, { user: "alice" }))).status, 200);
    });
  }

  it("X9: comes with the address of its lab behind a proxy that ends TLS", async () => {
    await using lab = openLab({ issuer: "https://lab.example" });
    const opened = await lab.fetch(postJson("http://lab.example/lab/tenants", { id: "acme" }));
    assertEquals((await opened.json()).lab, "https://lab.example/t/acme/lab");
  });

  it.inLab("X9: names the address of its lab where that is not", async (lab) => {
    await lab.tenant({ id: "acme", issuer: `${issuer}/server1` });
    const { status, json } = await send(lab, "localhost:9000", "/server1/lab/sign-in");
    assertEquals(status, 404);
    assertMatch(
      json.error_description,
      /of this issuer is at http:\/\/localhost:9000\/t\/acme\/lab\.$/,
    );
  });

  it("X9: names no address where only another port leads to the lab", async () => {
    await using lab = openLab({ issuer, controlApart: true });
    await lab.tenant({ id: "acme", issuer: `${issuer}/server1` });
    const { status, json } = await send(lab, "localhost:9000", "/server1/lab/sign-in");
    assertEquals([status, json.error_description.includes("/t/acme")], [404, false]);
  });

  it.inLab("has front pages without links to the interface", async (lab) => {
    await lab.tenant({ id: "acme", issuer: "https://login.example" });
    const page = await send(lab, "login.example", "/", { Accept: "text/html" });
    assertEquals(page.status, 200);
    assertEquals(/href="[^"]*\/lab\/(flows|report)/.test(String(page.json)), false);
  });

  it.inLab("closes with its lab, and leaves its host to nobody", async (lab) => {
    await lab.tenant({ id: "acme", issuer: "https://login.example" });
    await lab.reset();
    assertEquals((await send(lab, "login.example", "/oauth2/jwks")).status, 403);
  });

  it("is reached by the fetch of the kit", async () => {
    await using lab = await hallpass();
    await lab.tenant({ issuer: "https://login.example/" });
    assertEquals((await lab.fetch("https://login.example/oauth2/jwks")).status, 200);
  });

  const invalid: Array<[config: TenantConfig, message: RegExp]> = [
    [{ issuer: "login.example" }, /must be an absolute URL/],
    [{ issuer: 5 as unknown as string }, /must be an absolute URL/],
    [{ issuer: "https://login.example?a=b" }, /has a query/],
    [{ issuer }, /would hide paths of the lab/],
    [{ issuer: "http://127.0.0.1:9000" }, /would hide paths of the lab/],
    ...["account", "favicon.ico", "health", "sign-out", "static"].map((
      segment,
    ): [TenantConfig, RegExp] => [
      { issuer: `${issuer}/${segment}` },
      /would hide paths of the lab/,
    ]),
    [{ issuer: `${issuer}/lab` }, /would hide paths of the lab/],
    [{ issuer: `${issuer}/oauth2/x` }, /would hide paths of the lab/],
    [{ issuer: `${issuer}/t/other` }, /would hide paths of the lab/],
    [{ issuer: `${issuer}/.well-known/x` }, /would hide paths of the lab/],
    [{ issuer: "https://taken.example/" }, /Another tenant already has the issuer/],
  ];
  for (const [config, message] of invalid) {
    it.inLab(`is refused: ${JSON.stringify(config)}`, async (lab) => {
      await lab.tenant({ id: "taken", issuer: "https://taken.example" });
      const error = await assertRejects(() => lab.tenant(config));
      assertMatch(String(error), message);
      assertEquals(lab.tenants.ids(), ["taken"]);
    });
  }

  it.inLab("is refused if it would hide a path that a test gave the lab", async (lab) => {
    lab.configure({ paths: { token: "/later/token" } });
    const error = await assertRejects(() => lab.tenant({ issuer: `${issuer}/later` }));
    assertMatch(String(error), /would hide paths of the lab/);
  });
});

describe("A tenant that exists", () => {
  it.inLab("U13: can be used again, by its id or its issuer", async (lab) => {
    const config: TenantConfig = { id: "acme", issuer: "https://a.example", alg: "ES256" };
    const first = await lab.tenant({ ...config, reuse: true });
    assertEquals(await lab.tenant({ ...config, reuse: true }) === first, true);
    const { id: _, ...byIssuer } = config;
    assertEquals(await lab.tenant({ ...byIssuer, reuse: true }) === first, true);
    assertEquals(lab.tenants.ids(), ["acme"]);
  });

  it.inLab("stays if an earlier one with its id is closed again", async (lab) => {
    const first = await lab.tenant({ id: "acme" });
    await lab.reset();
    const second = await lab.tenant({ id: "acme" });
    await first.close();
    const url = `${second.issuer}/.well-known/openid-configuration`;
    assertEquals((await lab.fetch(new Request(url))).status, 200);
  });

  const others: Array<[config: TenantConfig, message: string]> = [
    [{ id: "acme", reuse: true }, "exists with other values of: alg"],
    [{ id: "acme", reuse: true, alg: "RS256", signIn: "bob" }, "other values of: alg, signIn"],
    [{ id: "acme", reuse: true, alg: "ES256", issuer: "https://b.example" }, "values of: issuer"],
    [{ id: "acme", alg: "ES256" }, "already exists"],
    [{ reuse: true }, "'reuse' needs the 'id' or the 'issuer'"],
  ];
  for (const [config, message] of others) {
    it.inLab(`is not taken for another one: ${JSON.stringify(config)}`, async (lab) => {
      await lab.tenant({ id: "acme", alg: "ES256" });
      await assertRejects(() => lab.tenant(config), LabError, message);
    });
  }
});

type AnyEvent = (ServerEvent | LabEvent) & { tenant?: string | undefined };

/** Opens a lab whose listener is that of a program. */
function openObserved() {
  const events: AnyEvent[] = [];
  const listen = (event: AnyEvent) => void events.push(event);
  return { events, lab: openLab({ issuer, onEvent: listen, onLabEvent: listen }) };
}

/** Sends a request that the server of a lab refuses. */
async function refuse(lab: ReturnType<typeof openLab>) {
  await testClient({ client_id: "unknown" }).token(lab, {});
}

describe("The events of a tenant", () => {
  it("U5: are in the log of the program, with the name of the tenant", async () => {
    const { events, lab } = openObserved();
    await refuse(await lab.tenant({ id: "acme" }));
    const named = events.filter(({ tenant }) => tenant === "acme").map(({ type }) => type);
    assertEquals(named.includes("request.refused"), true);
    assertEquals(named.includes("exchange.recorded"), true);
    await refuse(lab);
    assertEquals(events.at(-1)?.tenant, undefined);
  });

  it("U5: go to the listeners of the tenant as well, without its name", async () => {
    const { events, lab } = openObserved();
    const own: AnyEvent[] = [];
    const listen = (event: AnyEvent) => void own.push(event);
    const tenant = await lab.tenant({ id: "acme", onEvent: listen, onLabEvent: listen });
    await refuse(tenant);
    assertEquals(own.length, events.length);
    assertEquals(own.filter((event) => "tenant" in event), []);
  });

  it("U5: lead to the page of the tenant, at a terminal", async () => {
    const { events, lab } = openObserved();
    await refuse(await lab.tenant({ id: "acme" }));
    const format = createLabLog({ colors: noColors, pagesUrl: () => issuer });
    const lines = events.map((event) => format(event, new Date(0))).join("\n");
    assertEquals(lines.includes("POST /t/acme/oauth2/token"), true, lines);
    assertEquals(lines.includes(`${issuer}/t/acme/lab/flows/request-1?exchange=1`), true, lines);
  });
});

async function openGoogle(): Promise<{ lab: TestLab; google: TestLab }> {
  const providers = ["google", "github"] as const;
  const lab = await hallpass({ providers: [...providers], clients: [webClient], signIn: "alice" });
  return { lab, google: lab.provider("google") };
}

describe("The record of a lab", () => {
  const it = itWith({ inLab: () => hallpass() });

  it("Z3: counts requests that are no longer recorded", () => {
    let id = 0;
    const recorder = createRecorder(() => ++id);
    const request = { method: "GET", path: "/", url: "", headers: {}, body: "" };
    const parameters = { query: new URLSearchParams(), form: new URLSearchParams() };
    for (let count = 0; count < 2001; count++) {
      recorder.record({
        ...{ began: 0, at: 0, request: { ...request, ...parameters }, faults: [] },
        ...{ events: [], rules: [], concerns: {} },
      }, recorder.mark());
    }
    assertEquals([recorder.all().length, recorder.requests()], [2000, 2001]);
    recorder.clear();
    assertEquals([recorder.all().length, recorder.requests()], [0, 2001]);
  });

  it("Z3: has what its providers saw, under their names", needs("providers"), async () => {
    const { lab, google } = await openGoogle();
    await clientAt(google, "google").logIn({ scope: "openid" });
    assertEquals(lab.flows().map(({ client, tenant }) => [client, tenant]), [["web", "google"]]);
    assertEquals(google.flows().map(({ tenant }) => tenant), [undefined]);
    assertEquals(lab.requests().map(({ id }) => id), google.requests().map(({ id }) => id));
    assertEquals(lab.provider("github").requests(), []);
    await lab.close();
  });

  it.inLab("Z3: names a tenant of a tenant by both", async (lab) => {
    const outer = await lab.tenant({ id: "outer" });
    const inner = await outer.tenant({ id: "inner" });
    await inner.fetch(`${inner.issuer}/oauth2/jwks`);
    const tenants = [lab, outer, inner].map((each) => each.requests()[0]?.tenant);
    assertEquals(tenants, ["outer/inner", "inner", undefined]);
  });

  it.inLab("Z3: has what a tenant saw that is closed", async (lab) => {
    const tenant = await lab.tenant({ id: "acme" });
    await login(tenant);
    const count = tenant.requests().length;
    await tenant.close();
    assertEquals(lab.requests().length, count);
    assertReport(lab, { requests: count });
    const headers = { Accept: "text/html" };
    const page = await (await lab.fetch(`${lab.issuer}/lab/flows/flow-1`, { headers })).text();
    assertMatch(page, /demo-spa at tenant acme/);
  });

  it("Z3: forgets what a tenant forgets, such as wrong requests on purpose", async () => {
    await using lab = await hallpass({ seed: "one" });
    const outer = await lab.tenant({ id: "outer" });
    const [tenant, other] = [await outer.tenant({ id: "a" }), await outer.tenant({ id: "ab" })];
    await misbehave(tenant);
    await login(other);
    await callLab(tenant, "DELETE /requests");
    await tenant.reset();
    assertClean(lab, { refused: true, reached: true });
    assertEquals([outer, lab].map((each) => each.flows().length), [1, 1]);
    await login(tenant);
    assertEquals(lab.flows().map((flow) => flow.tenant), ["outer/ab", "outer/a"]);
    await outer.reset();
    assertEquals([lab.flows(), lab.requests()], [[], []]);
    await lab.reset();
    assertClean(lab, { reached: true });
  });

  it.inLab("Z3: streams the requests of tenants to its pages", async (lab) => {
    const tenant = await lab.tenant({ id: "acme" });
    const { body } = await lab.fetch(`${lab.issuer}/lab/events`);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    await reader.read();
    await tenant.fetch(`${tenant.issuer}/oauth2/jwks`);
    assertMatch((await reader.read()).value ?? "", /event: exchange\.recorded.*"tenant":"acme"/s);
    await reader.cancel();
  });
});
