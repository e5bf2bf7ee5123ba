import { assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { UsageError } from "../../../src/program/terminal/exit_code.ts";
import { checkNodeVersion } from "../../../src/program/terminal/node_version.ts";

const script = "/app/node_modules/.bin/hallpass";

describe("A command of the program", () => {
  for (const node of ["20.19.0", "22.12.9", "18.0.0"]) {
    it(`says on Node ${node} which version it needs, and how to get it`, () => {
      const check = () => checkNodeVersion("exec", { versions: { node }, script });
      assertThrows(check, UsageError, `hallpass exec needs Node 22.13 or later; this is ${node}.`);
      assertThrows(check, UsageError, `npx -y node@24 ${script} exec, or`);
    });
  }

  for (const versions of [{ node: "22.13.0" }, { node: "24.1.0" }, { node: "20.0.0", bun: "1" }]) {
    it(`runs on ${JSON.stringify(versions)}`, () => {
      checkNodeVersion("exec", { versions, script });
    });
  }
});
