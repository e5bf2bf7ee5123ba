import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { createRecorder } from "../../src/lab/recording/recorder.ts";
import { hallpass, LabError, type TestLab } from "../../src/lab/testing/mod.ts";
import { itWith } from "../support/it_with.ts";
import { authorizationUrl, login } from "../support/login.ts";
import { logIn, webClient } from "../support/provider_login.ts";
import { testClient } from "../support/test_client.ts";

const it = itWith({ inLab: () => hallpass() });

const notReached = "No request reached this lab.";

/** Sends a request that breaks a rule, and another that is refused. */
async function misbehave(lab: TestLab): Promise<void> {
  await lab.fetch(authorizationUrl(lab, { code_challenge_method: "plain" }));
  const request = { grant_type: "client_credentials", client_id: "demo-service" };
  await testClient().token(lab, request);
}

async function openGoogle(): Promise<{ lab: TestLab; google: TestLab }> {
  const providers = ["google", "github"] as const;
  const lab = await hallpass({ providers: [...providers], clients: [webClient], signIn: "alice" });
  return { lab, google: lab.provider("google") };
}

async function reportOf(lab: TestLab, query = "", headers: HeadersInit = {}): Promise<string> {
  return await (await lab.fetch(`${lab.issuer}/lab/report${query}`, { headers })).text();
}

describe("The report of a lab with tenants", () => {
  it("has their leniencies, with their names", async () => {
    await using lab = await hallpass({ anyScope: true });
    const acme = await lab.tenant({ id: "acme", anyClient: true });
    await acme.tenant({ id: "team", redirectStatus: 302 });
    const { leniencies } = lab.report();
    assertEquals(leniencies, [
      "anyScope",
      "anyClient (tenant acme)",
      "redirectStatus: 302 (tenant team) (tenant acme)",
    ]);
    assertEquals(acme.report().leniencies, ["anyClient", "redirectStatus: 302 (tenant team)"]);
    const page = await reportOf(lab, "", { Accept: "text/html" });
    assertMatch(page, /anyClient \(tenant acme\)/);
  });
});

describe("The report of a lab that no request reached", () => {
  it.inLab("Z3: says so, and is clean, for a test that only mints", async (lab) => {
    await lab.mint({ sub: "alice" });
    const { clean, requests, reached, problem } = lab.report();
    assertEquals({ clean, requests, reached, problem }, {
      ...{ clean: true, requests: 0, reached: false },
      problem: notReached,
    });
    assertMatch(await reportOf(lab), /"requests":0,"reached":false,"problem":"No request reached/);
    lab.assertClean();
    lab.assertClean({ refused: true });
    assertThrows(() => lab.assertClean({ reached: true }), LabError, notReached);
  });

  it.inLab("Z3: counts what clients sent, at any tenant, and no replay", async (lab) => {
    const tenant = await lab.tenant();
    await tenant.fetch(`${tenant.issuer}/oauth2/jwks`);
    await lab.replay(1);
    for (const each of [lab, tenant]) {
      const { requests, reached, problem } = each.report();
      assertEquals([requests, reached, problem], [1, true, undefined]);
      each.assertClean({ reached: true, refused: true });
    }
  });

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
});

describe("The record of a lab", () => {
  it("Z3: has what its providers saw, under their names", async () => {
    const { lab, google } = await openGoogle();
    const urls = {
      authorize: `${google.issuer}/o/oauth2/v2/auth`,
      token: `${google.issuer}/token`,
    };
    await logIn(google, urls, { scope: "openid" });
    assertEquals(lab.flows().map(({ client, tenant }) => [client, tenant]), [["web", "google"]]);
    assertEquals(google.flows().map(({ tenant }) => tenant), [undefined]);
    assertEquals(lab.requests().map(({ id }) => id), google.requests().map(({ id }) => id));
    const [client, ...others] = lab.report().clients;
    assertEquals([client?.client, client?.tenant, others], ["web", "google", []]);
    assertEquals(lab.provider("github").requests(), []);
    await lab.close();
  });

  it.inLab("Z3: is not clean if a client broke a rule at a tenant", async (lab) => {
    const tenant = await lab.tenant({ id: "acme" });
    await misbehave(tenant);
    const { findings, refused } = lab.report();
    const named = [findings, refused].map((all) => [...new Set(all.map(({ tenant }) => tenant))]);
    assertEquals(named, [["acme"], ["acme"]]);
    assertThrows(() => lab.assertClean(), LabError, "(client demo-spa at acme)");
    const attempt = () => lab.assertClean({ refused: true });
    assertThrows(attempt, LabError, "refused POST /oauth2/token (client demo-service at acme)");
    assertMatch(await reportOf(lab, "?format=junit"), /<testsuite name="demo-spa at acme"/);
    assertMatch(await reportOf(lab, "?format=sarif"), /"name": "demo-spa at acme"/);
  });

  it("Z3: keeps apart the clients of the same id, and finds nothing across tenants", async () => {
    await using lab = await hallpass();
    const tenants = await Promise.all(["a", "b", "c"].map((id) => lab.tenant({ id })));
    for (const each of tenants) {
      each.fault("token.too_many_requests", { times: 1 });
      await assertRejects(() => login(each, { state: "the-state-of-a-test" }));
      each.clock.advance("10m");
      await login(each, { state: "the-next-state-of-a-test" });
    }
    assertEquals(lab.report().findings.filter(({ kind }) => kind === "violation"), []);
    const ids = ({ findings }: ReturnType<TestLab["report"]>) => findings.map(({ id }) => id);
    assertEquals(ids(lab.report()).sort(), tenants.flatMap((each) => ids(each.report())).sort());
    assertEquals(lab.report().clients.map(({ client, tenant }) => `${client} ${tenant}`), [
      ...["demo-spa a", "demo-spa b", "demo-spa c"],
    ]);
  });

  it.inLab("Z3: names a tenant of a tenant by both", async (lab) => {
    const outer = await lab.tenant({ id: "outer" });
    const inner = await outer.tenant({ id: "inner" });
    await inner.fetch(`${inner.issuer}/oauth2/jwks`);
    const tenants = [lab, outer, inner].map((each) => each.requests()[0]?.tenant);
    assertEquals(tenants, ["outer/inner", "inner", undefined]);
    assertEquals((await lab.replay(1)).replay.tenant, "outer/inner");
  });

  it.inLab("Z3: has what a tenant saw that is closed", async (lab) => {
    const tenant = await lab.tenant({ id: "acme" });
    await login(tenant);
    const count = tenant.requests().length;
    await tenant.close();
    assertEquals([lab.requests().length, lab.report().requests], [count, count]);
    assertMatch(await lab.exportFlow("flow-1"), /demo-spa at acme/);
    const page = await (await lab.fetch(`${lab.issuer}/lab/flows/flow-1`)).text();
    assertMatch(page, /demo-spa at acme/);
    await assertRejects(() => lab.replay(1), LabError, "The tenant 'acme' of request 1 is closed.");
  });

  it("Z3: forgets what a tenant forgets, such as wrong requests on purpose", async () => {
    await using lab = await hallpass({ seed: "one" });
    const outer = await lab.tenant({ id: "outer" });
    const [tenant, other] = [await outer.tenant({ id: "a" }), await outer.tenant({ id: "ab" })];
    await misbehave(tenant);
    await login(other);
    await tenant.reset();
    lab.assertClean({ refused: true, reached: true });
    assertEquals([outer, lab].map((each) => each.flows().length), [1, 1]);
    await login(tenant);
    assertEquals(lab.flows().map((flow) => flow.tenant), ["outer/ab", "outer/a"]);
    await outer.reset();
    assertEquals([lab.flows(), lab.requests()], [[], []]);
    await lab.reset();
    lab.assertClean({ reached: true });
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
