import { assertEquals, assertStringIncludes } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { entryPoints, parseProblems } from "../../../scripts/without/leftovers.ts";
import { inFolder } from "../../support/folder.ts";

const project: Readonly<Record<string, string>> = {
  "deno.json": JSON.stringify({ exports: { ".": "./src/mod.ts" } }),
  "src/pin.ts": "export type Pin = <T>(pin: T) => T;\n",
  "src/later.tsx": "export const page = <p>later</p>;\n",
  "src/left.ts": "export const left = [;\n",
};

async function inProject(act: (folder: string) => Promise<void> | void): Promise<void> {
  await inFolder(async (folder) => {
    await mkdir(join(folder, "src"));
    for (const [path, text] of Object.entries(project)) await writeFile(join(folder, path), text);
    await act(folder);
  });
}

describe("What deleting a feature leaves behind", () => {
  it("has the exports of deno.json and the program as its entry points", () =>
    inProject((folder) => assertEquals(entryPoints(folder), ["./src/mod.ts", "src/main.ts"])));

  it("names files that cannot be parsed, and none that is gone", () =>
    inProject((folder) => {
      const files = [...Object.keys(project).slice(1), "src/gone.ts"];
      const problems = parseProblems(files.map((path) => join(folder, path)));
      assertEquals(problems.length, 1);
      assertStringIncludes(problems.join(), "src/left.ts cannot be parsed");
    }));
});
