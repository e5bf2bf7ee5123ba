import { assert, assertEquals } from "@std/assert";
import { existsSync, readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { measureParts } from "../scripts/size.ts";

describe("The size of the project", () => {
  const parts = measureParts();
  // `deno task without` deletes folders, and leaves their limits.
  const kept = parts.filter(({ name }) =>
    !/\/features\/|^src\/playground$/.test(name) || existsSync(name)
  );

  for (const { name, unit, size, limit } of kept) {
    it(`has a limit for ${name}, and keeps it`, () => {
      assert(size > 0, `${name} has no files.`);
      const todo = name.endsWith(" without features")
        ? "Make it smaller: only an issue raises this limit."
        : "If all of it is needed, raise its limit in scripts/size.ts, rounded up to a hundred.";
      assert(size <= limit, `${name} has ${size} ${unit}, and may have ${limit}. ${todo}`);
    });
  }

  it("has a limit for each root of src, and for each feature", () => {
    const roots = readdirSync("src").map((name) => `src/${name}`);
    const features = roots.map((root) => `${root}/features`).filter((path) => existsSync(path))
      .flatMap((path) => readdirSync(path).map((name) => `${path}/${name}`));
    const unlimited = [...roots, ...features].filter((path) =>
      parts.every(({ name }) => name !== path && name !== `${path} without features`)
    );
    assertEquals(unlimited, [], "Add a row to scripts/size.ts");
  });
});
