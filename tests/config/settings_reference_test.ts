import { assert, assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

const [, reference = ""] = readFileSync(".github/CONFIGURATION.md", "utf8")
  .split("## Every setting");

/** The types of the settings that are objects, by name. */
const objects = [...reference.matchAll(/^\| `(\w+)` \| ([^|]*\{[^|]*\}[^|]*) \|/gm)]
  .map(([, name = "", type = ""]): [string, string] => [name, type]);

describe("The reference of the settings", () => {
  it("has the types of what is in braces, unless the schema alone describes it", () => {
    assert(objects.length > 10);
    const untyped = objects.filter(([, type]) => !/`\{ … \}`|`: |\}` of: /.test(type));
    assertEquals(untyped, []);
  });
});
