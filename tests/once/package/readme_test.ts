import { assert, assertEquals } from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { installPackage, succeed } from "../../support/package.ts";

const readme = readFileSync("README.md", "utf8");
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
const here = "Deno" in globalThis
  ? [process.execPath, "run", "--allow-all", "--no-check"]
  : [process.execPath];

describe("The README", () => {
  it("leads nowhere but to files that are there", () => {
    const targets = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target]) => target).filter((
      target,
    ) => !/^https?:/.test(target));
    assertEquals(targets.filter((target) => !existsSync(target)), []);
  });

  it("names no task that does not exist", () => {
    const { tasks } = JSON.parse(readFileSync("deno.json", "utf8"));
    const named = [...readme.matchAll(/deno task ([\w:]+)/g)].map(([, task]) => task);
    assertEquals(named.filter((task) => !Object.hasOwn(tasks, task)), []);
  });

  it("begins with an example of at most eight lines, which works as it stands", async () => {
    const [first] = examples;
    assert(first.trim().split("\n").length <= 8, "it is longer");
    const folder = await installPackage();
    await writeFile(join(folder, "first_example.ts"), first);
    assertEquals((await succeed([...here, "first_example.ts"], folder)).trim().split("\n"), [
      "200",
      "401",
    ]);
  });
});
