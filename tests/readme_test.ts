import { assertEquals } from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";

const readme = readFileSync("README.md", "utf8");

describe("The README", () => {
  it("links only to files that exist", () => {
    const targets = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target]) => target).filter((
      target,
    ) => !/^https?:/.test(target));
    assertEquals(targets.filter((target) => !existsSync(target)), []);
  });

  it("names only tasks that exist", () => {
    const { tasks } = JSON.parse(readFileSync("deno.json", "utf8"));
    const named = [...readme.matchAll(/deno task ([\w:]+)/g)].map(([, task]) => task);
    assertEquals(named.filter((task) => !Object.hasOwn(tasks, task)), []);
  });
});
