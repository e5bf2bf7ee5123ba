import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGroupCommit } from "../../src/server/store/sqlite/group_commit.ts";

async function collectGarbage(): Promise<void> {
  // Objects reachable from the running job can be collected only in the next one.
  await new Promise((resolve) => setTimeout(resolve, 0));
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

describe("A group of writes to a file", () => {
  it("F10: keeps no reference to finished writes", async () => {
    const timing = { now: () => 0, pause: async () => {} };
    const group = createGroupCommit(
      (writes: readonly number[]) => writes.map((n) => ({ n })),
      timing,
    );
    const results: Array<WeakRef<object>> = [];
    for (let n = 0; n < 20; n++) results.push(new WeakRef(await group.write(n)));
    await collectGarbage();
    assert(results.some((result) => result.deref() === undefined), "every result is still held");
  });
});
