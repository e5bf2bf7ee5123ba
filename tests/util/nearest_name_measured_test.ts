import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { nearestName } from "../../src/server/util/text/nearest_name.ts";

describe("nearestName of a very long text", () => {
  it("compares no names that are much shorter", () => {
    const names = Array.from({ length: 200 }, (_, n) => `a-fault-with-a-name-${n}`);
    const start = performance.now();
    nearestName("x".repeat(15_000), names);
    const duration = performance.now() - start;
    assert(duration < 200, `${duration} ms`);
  });
});
