import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { killTrials } from "../../../scripts/trials/crash.ts";
import { createRandom } from "../../../scripts/trials/numbers.ts";
import { inFolder } from "../../support/folder.ts";

const random = createRandom(Number(Deno.env.get("CRASH_SEED") ?? Date.now() % 1_000_000));

describe("What the server has acknowledged is there after a crash", () => {
  // Few rounds, each with a kill: `deno task crash` runs hundreds.
  for (const { title, skip = false, run } of killTrials({ rounds: 3, random })) {
    it(title, { skip }, async () => assertEquals((await inFolder(run)).problems, []));
  }
});
