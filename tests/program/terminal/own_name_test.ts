import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { ownName } from "../../../src/program/terminal/own_name.ts";

describe("The name under which a reader can run the program", () => {
  const names = {
    "/home/me/hallpass/src/main.ts": "deno task hallpass",
    "C:\\hallpass\\src\\main.ts": "deno task hallpass",
    "/home/me/app/node_modules/.bin/hallpass": "npx hallpass",
    "/$bunfs/root/hallpass": "hallpass",
    "/usr/local/bin/hallpass": "hallpass",
  };
  for (const [script, name] of Object.entries(names)) {
    it(`is '${name}' for ${script}`, () => assertEquals(ownName(script), name));
  }
});
