import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { isViolation } from "../../../../src/lab/findings/finding.ts";
import { hallpass, LabError, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { login, misbehave } from "../../../support/login.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({
  inLab: () => hallpass(),
  withFaults: needs("faults"),
  withLeniencies: needs("any_client", "any_scope", "redirect_status"),
});

const notReached = "No request reached this lab.";

async function reportOf(lab: TestLab, query = "", headers: HeadersInit = {}): Promise<string> {
  return await (await lab.fetch(`${lab.issuer}/lab/report${query}`, { headers })).text();
}

describe("The report of a lab with tenants", () => {
  it.inLab("Z3: is not clean if a client broke a rule at a tenant", async (lab) => {
    const tenant = await lab.tenant({ id: "acme" });
    await misbehave(tenant);
    const { findings, refused } = lab.report();
    const named = [findings, refused].map((
      all,
    ) => [...new Set(all.map(({ where }) => where.tenant))]);
    assertEquals(named, [["acme"], ["acme"]]);
    assertThrows(() => lab.assertClean(), LabError, "(client demo-spa at tenant acme)");
    const attempt = () => lab.assertClean({ refused: true });
    assertThrows(attempt, LabError, "(client demo-service at tenant acme): ");
    assertMatch(await reportOf(lab, "?format=junit"), /<testsuite name="demo-spa at tenant acme"/);
    assertMatch(await reportOf(lab, "?format=sarif"), /"name": "demo-spa at tenant acme"/);
  });

  it.withFaults("Z3: keeps apart the clients of the same id, and finds nothing across tenants", async () => {
    await using lab = await hallpass();
    const tenants = await Promise.all(["a", "b", "c"].map((id) => lab.tenant({ id })));
    for (const each of tenants) {
      each.fault("token.too_many_requests", { times: 1 });
      await assertRejects(() => login(each, { state: "the-state-of-a-test" }));
      each.clock.advance("10m");
      await login(each, { state: "the-next-state-of-a-test" });
    }
    assertEquals(lab.report().findings.filter(isViolation), []);
    const ids = ({ findings }: ReturnType<TestLab["report"]>) => findings.map(({ id }) => id);
    assertEquals(ids(lab.report()).sort(), tenants.flatMap((each) => ids(each.report())).sort());
    assertEquals(lab.report().clients.map(({ client, tenant }) => `${client} ${tenant}`), [
      ...["demo-spa a", "demo-spa b", "demo-spa c"],
    ]);
  });

  it.withLeniencies("has their leniencies, with their names", async () => {
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

  it.inLab("Z3: counts what clients sent, at any tenant", async (lab) => {
    const tenant = await lab.tenant();
    await tenant.fetch(`${tenant.issuer}/oauth2/jwks`);
    for (const each of [lab, tenant]) {
      const { requests, reached, problem } = each.report();
      assertEquals([requests, reached, problem], [1, true, undefined]);
      each.assertClean({ reached: true, refused: true });
    }
  });
});
