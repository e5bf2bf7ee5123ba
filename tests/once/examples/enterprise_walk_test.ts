import { assertEquals, assertStringIncludes } from "@std/assert";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { runCommand } from "../../../scripts/child.ts";
import { hallpass } from "../../../src/lab/testing/mod.ts";
import { present } from "../../support/present.ts";

const skip = spawnSync("curl", ["--version"]).status !== 0 && "this machine has no 'curl'";

/** Returns the lines that the home page shows for a shell. */
function walkOn(page: string): string[] {
  const [, code] = present(/<code data-copy="commands">([^<]*)</.exec(page));
  return present(code).replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<").replaceAll("&amp;", "&").split("\n");
}

describe("The walk through an enterprise, for a shell", () => {
  it("leads from a sign-in to a tool, as it is printed", { skip }, async () => {
    await using lab = await hallpass({ listen: true, enterprise: true });
    const lines = walkOn(await (await fetch(`${lab.issuer}/`)).text());
    const { code, output } = await runCommand(["sh", "-e", "-c", lines.join("\n")], {
      timeout: 30_000,
    });
    assertEquals(code, 0, output);
    assertStringIncludes(output, '"subject":"alice","client":"agent-at-mcp"');
    assertEquals(lab.flows().map(({ steps }) => steps.length), [5]);
    lab.assertClean({ refused: true });
    assertEquals(lab.report().findings, []);
  });
});
