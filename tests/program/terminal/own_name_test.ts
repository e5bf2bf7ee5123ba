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
    it(`is '${name}' for ${script}`, () => assertEquals(ownName({ script }), name));
  }

  const runtimes = {
    "/usr/bin/deno": "deno task hallpass",
    "/usr/lib/node_modules/deno/deno": "deno task hallpass",
    "/root/.npm/_npx/05b6ef7b13673c57/node_modules/deno/deno": "npx -y deno task hallpass",
    "C:\\npm-cache\\_npx\\05b6\\node_modules\\deno\\deno.exe": "npx -y deno task hallpass",
  };
  for (const [runtime, name] of Object.entries(runtimes)) {
    it(`is '${name}' in a clone, with the runtime ${runtime}`, () => {
      assertEquals(ownName({ script: "/home/me/hallpass/src/main.ts", runtime }), name);
    });
  }
});
