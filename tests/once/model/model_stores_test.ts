import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createRandom } from "../../../scripts/trials/numbers.ts";
import { operations } from "../../model/operations.ts";
import { combinations, describeProblems, sampleScenario } from "../../model/scenarios.ts";
import { modelStores, reopen } from "../../model/stores.ts";

/** How many pairs are tried on each store. `deno task model --store NAME` tries all. */
const sampledPairs = 25;

describe("Operations at the same time, on every store", () => {
  for (const { name, missing, open } of modelStores) {
    it(`${name}: keep every promise in sampled schedules`, { skip: missing }, async () => {
      const random = createRandom(1);
      const pairs = combinations(operations, 2);
      const store = await open();
      try {
        for (let count = 0; count < sampledPairs; count++) {
          const pair = pairs[Math.floor(random() * pairs.length)] ?? [];
          const scenario = {
            operations: pair,
            faults: ["dies", "fails", "is lost"] as const,
            openStore: reopen(store),
          };
          const report = await sampleScenario(scenario, 1, random);
          assertEquals(report.problems.size, 0, describeProblems(report));
        }
      } finally {
        await store.close();
      }
    });
  }
});
