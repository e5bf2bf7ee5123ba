import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { measureParts } from "../scripts/size.ts";

describe("The size of the project", () => {
  for (const { name, unit, size, limit } of measureParts()) {
    it(`has a limit for ${name}, and keeps it`, () => {
      assert(size > 0, `${name} has no files.`);
      const todo = name.startsWith("src")
        ? "Make it smaller: only an issue raises this limit."
        : "If all of it is needed, raise its limit in scripts/size.ts, rounded up to a hundred.";
      assert(size <= limit, `${name} has ${size} ${unit}, and may have ${limit}. ${todo}`);
    });
  }
});
