import { describe, it } from "node:test";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { sqliteStore } from "../../../src/server/store/sqlite.ts";
import { itRunsPollPlans, modulesOf } from "./fapi_ciba_modules.ts";
import { type CibaVariant, openCibaSuite } from "./fapi_ciba_suite.ts";

const variants: readonly CibaVariant[] = (["poll", "ping"] as const).flatMap((mode) =>
  (["private_key_jwt", "mtls"] as const).map((authentication) => ({ mode, authentication }))
);

describe("The certification suite for FAPI-CIBA (fapi-ciba-id1-test-plan)", () => {
  for (const variant of variants) {
    describe(`with ${variant.mode} and ${variant.authentication}`, () => {
      for (const [name, { shows, run }] of modulesOf(variant)) {
        it(`fapi-ciba-id1-${name}: ${shows}`, () => run(openCibaSuite(variant)));
      }
    });
  }

  describe("on a store in memory", () => itRunsPollPlans(memoryStore));
  describe("on SQLite", () => itRunsPollPlans(() => sqliteStore(":memory:")));
});
