import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { present } from "../support/present.ts";

const folder = process.env.HALLPASS_TEST_PACKAGE;
const skip = folder === undefined && "deno task test builds the package";

const require = createRequire(import.meta.url);
const pathOf = (file: string) => resolve(present(folder), file);
const importFile = (file: string) => import(pathToFileURL(pathOf(file)).href);
const requireFile = async (file: string) => require(pathOf(file));

/** The conditions of an entry point. */
interface Entry {
  import?: { default: string };
  default: { default: string };
}

describe("The npm package", () => {
  it("exports the same objects to import and require", { skip }, async () => {
    const { exports } = JSON.parse(await readFile(join(present(folder), "package.json"), "utf8"));
    // The entries for Playwright and Jest import what only their users have.
    const entries = Object.entries<Entry>(exports)
      .filter(([path, entry]) => entry.import && !["./playwright", "./jest"].includes(path))
      .map(([, entry]) => entry);
    const { exports: sources } = JSON.parse(await readFile("deno.json", "utf8"));
    assertEquals(entries.length, Object.keys(sources).length);
    for (const entry of entries) {
      const imported = await importFile(present(entry.import).default);
      assertEquals({ ...imported }, { ...await requireFile(entry.default.default) });
    }
  });

  const ways = [["import", importFile, "testing.mjs"], ["require", requireFile, "testing.js"]];
  for (const [way, load, file] of ways as Array<[string, typeof importFile, string]>) {
    it(`mints a token for userinfo, loaded by ${way}`, { skip }, async () => {
      await using lab = await (await load(file)).hallpass();
      const { access_token } = await lab.mint({ sub: "alice", scope: "openid read" });
      const headers = { Authorization: `Bearer ${access_token}` };
      const response = await lab.fetch(`${lab.issuer}/oauth2/userinfo`, { headers });
      assertEquals((await response.json()).sub, "alice");
    });
  }
});
