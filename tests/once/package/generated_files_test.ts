import { assertEquals } from "@std/assert";
import process from "node:process";
import { describe, it } from "node:test";
import { runCommand } from "../../../scripts/child.ts";

describe("The files that are generated from the types of the settings", () => {
  it("are up to date", async () => {
    const command = [process.execPath, "run", "-A", "scripts/generate_schema.ts", "--check"];
    const { code, output } = await runCommand(command, { timeout: 60_000 });
    assertEquals(code, 0, output);
  });
});
