import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { killFirstStart, killServer, killStore } from "../../../scripts/crash/campaigns.ts";
import { createRandom } from "../../../scripts/trials/numbers.ts";
import { trialStores } from "../../../scripts/trials/trial_stores.ts";
import { inFolder } from "../../support/folder.ts";

const random = createRandom(Number(Deno.env.get("CRASH_SEED") ?? Date.now() % 1_000_000));

describe("What the server has acknowledged", () => {
  for (const { name, missing: skip, hasProcess, open } of trialStores) {
    /** Few rounds, each with a kill: `deno task crash` runs hundreds. */
    const problemsOf = (campaign: typeof killServer, rounds: number) =>
      inFolder(async (folder) =>
        (await campaign(await open(folder), { rounds, random, folder })).problems
      );

    it(`survives kills of the server under load, with ${name}`, { skip }, async () => {
      assertEquals(await problemsOf(killServer, 4), []);
    });

    it(`needs no start that was not killed, with ${name}`, { skip }, async () => {
      assertEquals(await problemsOf(killFirstStart, 2), []);
    });

    if (!hasProcess) continue;

    it(`survives kills of ${name} under load`, { skip }, async () => {
      assertEquals(await problemsOf(killStore, 3), []);
    });
  }
});
