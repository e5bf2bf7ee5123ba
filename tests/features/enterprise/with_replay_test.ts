import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { LabError, type TestLab } from "../../../src/lab/testing/mod.ts";
import { present } from "../../support/present.ts";
import { assertClean } from "../../support/reported.ts";
import { needs } from "../../support/where_feature.ts";
import { openEnterpriseLab } from "./enterprise_lab.ts";

describe("An ID-JAG with other claims", () => {
  /** The number of the last exchange that redeemed an ID-JAG. */
  const redeemed = (lab: TestLab) =>
    present(lab.requests({ path: "/oauth2/token" }).findLast(({ tenant }) => !tenant)).id;

  it("is signed with the key of the company, where the recorded one was used", async () => {
    await using open = await openEnterpriseLab();
    await open.accessToken("alice");
    const id = redeemed(open.lab);
    const spent = await open.lab.replay(id, { spent: true });
    assertEquals(spent.replay.refusal?.rule, "assertion.unused");
    open.lab.clock.advance("20m");
    const claims = { assertion: { extra: "x" } };
    const { replay, summary } = await open.lab.replay(id, { claims });
    assertEquals(replay.response?.status, 200, summary);
    assertClean(open.lab, { refused: true });
  });

  const wrong: Array<Record<string, unknown>> = [
    { client_id: "someone-else" },
    { aud: "https://other.example" },
    { resource: "https://other.example/mcp" },
    { jti: null },
    { sub: "nobody" },
  ];
  for (const assertion of wrong) {
    it(`is refused with ${JSON.stringify(assertion)}, although its signature is right`, async () => {
      await using open = await openEnterpriseLab();
      await open.accessToken("alice");
      const { replay } = await open.lab.replay(redeemed(open.lab), { claims: { assertion } });
      assertEquals(replay.response?.status, 400);
    });
  }

  it("stays unsigned by the company where another key signed it", needs("faults"), async () => {
    await using open = await openEnterpriseLab();
    using _ = open.lab.fault("id_jag.foreign_signature", { tenant: "company" });
    const { id_token } = await open.signIn("alice");
    await open.redeem((await open.exchange(id_token)).body.access_token);
    const again = open.lab.replay(redeemed(open.lab), { claims: { assertion: { extra: "x" } } });
    await assertRejects(() => again, LabError, "does not have the key");
  });
});
