import { assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { login } from "../../../support/login.ts";

const it = itWith({ inLab: () => hallpass() });

describe("A value that a test chose", () => {
  it.inLab("is in the report of a lab, with the tenants that used it", async (lab) => {
    const acme = await lab.tenant({ id: "acme" });
    const team = await acme.tenant({ id: "team" });
    for (const each of [acme, team]) {
      each.values({ code: "the-chosen-code" });
      await login(each, { callUserinfo: false });
    }
    assertEquals(lab.report().chosenValues, [
      { kind: "code", client: "demo-spa", tenant: "acme", times: 1 },
      { kind: "code", client: "demo-spa", tenant: "acme/team", times: 1 },
    ]);
    const page = await lab.fetch(`${lab.issuer}/lab/report`, { headers: { Accept: "text/html" } });
    assertMatch(await page.text(), /code for demo-spa at tenant acme\/team: 1 time/);
  });
});
