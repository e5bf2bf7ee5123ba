import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass, type HallpassOptions } from "../../src/lab/testing/mod.ts";
import { callLab } from "../support/lab_call.ts";
import { assertReport } from "../support/reported.ts";
import { needs } from "../support/where_feature.ts";

/** Returns the warnings that something printed. */
async function printedBy(act: () => Promise<unknown>): Promise<string[]> {
  const printed: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void printed.push(text);
  try {
    await act();
    return printed;
  } finally {
    console.warn = warn;
  }
}

/** Opens a lab, and returns what it printed. */
function warningsOf(options: HallpassOptions): Promise<string[]> {
  return printedBy(async () => await (await hallpass(options)).close());
}

describe("A lab for tests", () => {
  it("warns of a claim that no rule opens", async () => {
    const [warning = "", ...others] = await warningsOf({
      users: [{ name: "zoe", claims: { name: "Zoe", roles: ["admin"] } }],
    });
    assertEquals(warning.split(". ")[0], "hallpass: No client receives the claim 'roles' of zoe");
    assertEquals(others, []);
  });

  it("does not warn of its own demo users, whatever the scopes are", async () => {
    assertEquals(await warningsOf({ scopes: { openid: "Know you", orders: "Orders" } }), []);
  });

  it("warns of it in a tenant as well, also over HTTP", async () => {
    await using lab = await hallpass();
    const users = [{ name: "zoe", claims: { roles: ["admin"] } }];
    const { warnings: [warning = ""] } = (await callLab(lab, "POST /tenants", { users })).json;
    assertMatch(warning, /^No client receives the claim 'roles' of zoe/);
    const printed = await printedBy(() => lab.tenant({ users }));
    assertMatch(printed.join(), /^hallpass: No client receives the claim 'roles'/);
  });
});

describe("What never fired", () => {
  it(
    "is reported by a lab for its tenants, too, when it closes",
    needs("hooks", "faults"),
    async () => {
      const lab = await hallpass();
      await lab.tenant({ id: "a" });
      lab.on("token", () => {}, { tenant: "a" });
      lab.fault("token.server_error", { tenant: "a" });
      lab.fault("token.slow");
      const names = ["token.slow", "token.server_error (tenant a)", "hook.token (tenant a)"];
      assertReport(lab, { idleFaults: names });
      const [warning = "", ...others] = await printedBy(() => lab.close());
      assertEquals(warning.split("never fired: ").at(-1), names.join(", "));
      assertEquals(others, []);
    },
  );
});
