import { assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import { createRecorder } from "../../src/lab/recording/recorder.ts";
import { hallpass, type TestLab } from "../../src/lab/testing/mod.ts";
import { itWith } from "../support/it_with.ts";
import { callLab } from "../support/lab_call.ts";
import { authorizationUrl, login } from "../support/login.ts";
import { logIn, webClient } from "../support/provider_login.ts";
import { assertClean, assertReport } from "../support/reported.ts";
import { testClient } from "../support/test_client.ts";
import { needs } from "../support/where_feature.ts";

const it = itWith({ inLab: () => hallpass() });

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

describe("The record of a lab", () => {
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
    const urls = {
      authorize: `${google.issuer}/o/oauth2/v2/auth`,
      token: `${google.issuer}/token`,
    };
    await logIn(google, urls, { scope: "openid" });
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
