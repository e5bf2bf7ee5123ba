import { assertEquals } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { succeed } from "../../../scripts/child.ts";
import { binary } from "../../../scripts/downloads.ts";
import { installPackage } from "../../support/package.ts";

/** What needs a package that not every project has, and how that is installed. */
const needs: ReadonlyArray<[code: string, install: string]> = [
  ['import("hallpass/jest")', "npm install --save-dev jest @jest/globals"],
  ['import("hallpass/playwright")', "npm install --save-dev @playwright/test"],
  ['import("hallpass/vitest")', "npm install --save-dev vitest"],
  ['require("hallpass/jest")', "npm install --save-dev jest @jest/globals"],
  ['require("hallpass/playwright")', "npm install --save-dev @playwright/test"],
  [
    'require("hallpass/postgres").postgresStore("postgres://a:b@localhost/c")',
    "npm install postgres",
  ],
  ['require("hallpass/redis").redisStore("redis://localhost")', "npm install @redis/client"],
];

/** Prints for each of them what its error says to install. */
const program = `
  import { createRequire } from "node:module";
  const require = createRequire(import.meta.url);
  const loading = [${needs.map(([code]) => `async () => await ${code}`)}];
  const errorOf = (load) => load().then(() => "loaded", ({ message }) => message);
  const messages = [];
  for (const load of loading) messages.push(await errorOf(load));
  await import("hallpass/vitest-setup");
  console.log(JSON.stringify(messages));
`;

/** How each runtime runs a file. */
const runtimes: ReadonlyArray<[name: string, command: () => Promise<string[]>]> = [
  ["Deno", () => Promise.resolve([process.execPath, "run", "--allow-all", "--no-check"])],
  ["Bun", async () => [await binary("bun@1")]],
  ["Node", async () => [await binary("node@24")]],
];

describe("The npm package, in a project without test runners and clients of databases", () => {
  for (const [runtime, command] of runtimes) {
    it(`names what to install for an entry that needs one, on ${runtime}`, async () => {
      const folder = await installPackage();
      await writeFile(join(folder, "optional.mjs"), program);
      const output = await succeed([...await command(), "optional.mjs"], folder);
      const messages: string[] = JSON.parse(output.trim().split("\n").at(-1) ?? "");
      const installs = messages.map((text) => / Install it: (.*?) \(/.exec(text)?.[1] ?? text);
      assertEquals(installs, needs.map(([, install]) => install));
    });
  }
});
