import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { measureParts } from "../scripts/size.ts";

describe("The size of the project", () => {
  const parts = measureParts();

  it("has a limit for src and for each of its two cores, and for no other part", () => {
    const limited = parts.filter(({ limit }) => limit !== undefined).map(({ name }) => name);
    assertEquals(limited, ["src", "src/server without features", "src/lab without features"]);
  });

  for (const { name, unit, size, limit = Infinity } of parts) {
    it(`is measured for ${name}, and keeps its limit`, () => {
      assert(size > 0, `${name} has no files.`);
      const todo = "Make it smaller: only an issue raises this limit.";
      assert(size <= limit, `${name} has ${size} ${unit}, and may have ${limit}. ${todo}`);
    });
  }
});
