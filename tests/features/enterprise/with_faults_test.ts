import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { idJagFaults } from "../../../src/lab/features/faults/id_jag_faults.ts";
import type { FaultName } from "../../../src/lab/testing/mod.ts";
import { openEnterpriseLab } from "./enterprise_lab.ts";

/** The faults in an ID-JAG, with the rule that the server of the MCP server breaks off at. */
const cases: ReadonlyArray<readonly [fault: FaultName, rule: RegExp]> = [
  ["id_jag.wrong_iss", /issuer/],
  ["id_jag.wrong_aud", /aud/],
  ["id_jag.expired", /exp|lifetime|time/],
  ["id_jag.alg_none", /sign|alg|verif/],
  ["id_jag.hs256_with_public_key", /sign|alg|verif/],
  ["id_jag.foreign_signature", /sign|verif/],
  ["id_jag.wrong_typ", /signature/],
  ["id_jag.wrong_client", /client/],
  ["id_jag.wrong_resource", /resource/],
  ["id_jag.without_jti", /jti/],
];

describe("A fault in an ID-JAG", () => {
  for (const [fault, rule] of cases) {
    it(`makes the other server refuse it by a rule of its own: ${fault}`, async () => {
      await using open = await openEnterpriseLab();
      const { id_token } = await open.signIn("alice");
      using added = open.company.fault(fault);
      const issued = await open.exchange(id_token);
      assertEquals([issued.status, added.fired], [200, 1]);
      const { status, body } = await open.redeem(issued.body.access_token);
      assertEquals(status, 400, JSON.stringify(body));
      assertMatch(open.lab.requests().at(-1)?.refusal?.rule ?? "", rule);
    });
  }

  it("can be that the company issues none, and touches no other exchange", async () => {
    await using open = await openEnterpriseLab();
    using _fault = open.company.fault("id_jag.refused");
    const { id_token } = await open.signIn("alice");
    const { status, body } = await open.exchange(id_token);
    assertEquals([status, body.error], [400, "access_denied"]);
  });

  it("is tried for each name of the catalogue", () => {
    const tried = [...cases.map(([fault]) => fault), "id_jag.refused"];
    assertEquals(new Set<string>(tried), new Set(Object.keys(idJagFaults)));
  });
});
