import { assertEquals, assertStringIncludes } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import deno from "../../../deno.json" with { type: "json" };
import { entryPoints, parseProblems, unreached } from "../../../scripts/without/leftovers.ts";
import { inFolder } from "../../support/folder.ts";

describe("What deleting a feature leaves behind", () => {
  it("has the exports of deno.json and the program as its entry points", () =>
    assertEquals(entryPoints("."), [...Object.values(deno.exports), "src/main.ts"]));

  it("names files that no entry point reaches, at once, later or for a type", () =>
    inFolder(async (folder) => {
      const files = {
        "deno.json": JSON.stringify({ exports: { ".": "./src/mod.ts" } }),
        "src/mod.ts": `export type { Pin } from "./pin.ts";\n`,
        "src/main.ts": `await import("./later.tsx");\n`,
        ...{ "src/pin.ts": "", "src/later.tsx": "", "src/left.ts": "" },
      };
      await mkdir(join(folder, "src"));
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      assertEquals(unreached(folder), ["src/left.ts"]);
    }));

  it("names files that cannot be parsed, and none that is gone", () =>
    inFolder(async (folder) => {
      const files = ["pin.ts", "page.tsx", "left.ts", "gone.ts"].map((name) => join(folder, name));
      const [pin = "", page = "", left = ""] = files;
      await writeFile(pin, "export type Pin = <T>(pin: T) => T;\n");
      await writeFile(page, "export const page = <p>later</p>;\n");
      await writeFile(left, "export const left = [;\n");
      const problems = parseProblems(files);
      assertEquals(problems.length, 1);
      assertStringIncludes(problems.join(), "left.ts cannot be parsed");
    }));
});
