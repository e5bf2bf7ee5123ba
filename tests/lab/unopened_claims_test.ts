import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass, type HallpassOptions } from "../../src/testing/mod.ts";

/** Opens a lab, and returns what it printed. */
async function warningsOf(options: HallpassOptions): Promise<string[]> {
  const printed: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void printed.push(text);
  try {
    await (await hallpass(options)).close();
    return printed;
  } finally {
    console.warn = warn;
  }
}

describe("A lab for tests", () => {
  it("warns of a claim that no rule opens", async () => {
    const [warning = "", ...others] = await warningsOf({
      users: [{ name: "zoe", claims: { name: "Zoe", roles: ["admin"] } }],
    });
    assertEquals(
      warning.split(". ")[0],
      "hallpass: No client receives the claim 'roles' of zoe",
    );
    assertEquals(others, []);
  });

  it("does not warn of its own demo users, whatever the scopes are", async () => {
    assertEquals(await warningsOf({ scopes: { openid: "Know you", orders: "Orders" } }), []);
  });
});
