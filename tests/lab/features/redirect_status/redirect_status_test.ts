import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { ConfigError } from "../../../../src/server/mod.ts";
import { client } from "../../../support/nonce_client.ts";
import { assertReport } from "../../../support/reported.ts";
import type { Fields } from "../../../support/test_client.ts";

describe("The status of authorization responses", () => {
  const statusOf = async (lab: TestLab, changes: Fields) =>
    (await lab.fetch(client.authorizationUrl(lab, changes), { redirect: "manual" })).status;
  const statusesOf = async (lab: TestLab) => [
    await statusOf(lab, {}),
    await statusOf(lab, { response_mode: "jwt" }),
  ];

  it("B20 is 303", async () => {
    await using lab = await hallpass({ signIn: "alice" });
    assertEquals(await statusesOf(lab), [303, 303]);
    assertReport(lab, { leniencies: [] });
  });

  it("is 302 by a leniency, also of errors and signed responses", async () => {
    await using lab = await hallpass({ signIn: "alice", redirectStatus: 302 });
    assertEquals(await statusesOf(lab), [302, 302]);
    assertReport(lab, { leniencies: ["redirectStatus: 302"] });
    lab.signIn(false);
    assertEquals(await statusOf(lab, { prompt: "none" }), 302);
  });

  it("stays 303 for the redirect to a page of the lab", async () => {
    await using lab = await hallpass({ redirectStatus: 302 });
    assertEquals(await statusesOf(lab), [303, 303]);
  });

  for (const redirectStatus of [301, 304, 307, 308, "302", 302.5]) {
    it(`cannot be ${JSON.stringify(redirectStatus)}`, async () => {
      const attempt = () => hallpass({ redirectStatus: redirectStatus as number });
      await assertRejects(attempt, ConfigError, "redirectStatus must be");
    });
  }
});
