import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { withDependents } from "../../../scripts/without/delete_feature.ts";

/** Features, and what goes with them because it needs them, each after those that it needs. */
const cases: Readonly<Record<string, string[]>> = {
  revocation: [],
  registration: ["documents"],
  documents: [],
  token_exchange: ["enterprise"],
  assertions: ["enterprise", "workloads"],
  drill: ["api_drill"],
  faults: ["ciba", "drill", "api_drill"],
};

describe("withDependents", () => {
  for (const [name, others] of Object.entries(cases)) {
    it(`finds what cannot do without ${name}: ${others.join(", ") || "nothing"}`, async () => {
      assertEquals(await withDependents(".", [name]), [name, ...others]);
    });
  }
});
