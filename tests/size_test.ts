import { assert, assertEquals } from "@std/assert";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { measureParts } from "../scripts/size.ts";

describe("The size of the project", () => {
  const parts = measureParts();

  for (const { name, unit, size, limit } of parts) {
    it(`has a limit for ${name}, and keeps it`, () => {
      assert(size > 0, `${name} has no files.`);
      assert(size <= limit, `${name} has ${size} ${unit}; at most ${limit} are allowed.`);
    });
  }

  it("has a limit for each root of src", () => {
    const roots = readdirSync("src").map((name) => `src/${name}`);
    assertEquals(roots.filter((root) => parts.every(({ name }) => name !== root)), []);
  });
});
