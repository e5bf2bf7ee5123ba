import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { engines } from "../../../scripts/crash/engines.ts";
import { createRandom } from "../../../scripts/crash/random.ts";
import {
  type CrashReport,
  killEngine,
  killFirstStart,
  killUnderLoad,
} from "../../../scripts/crash/rounds.ts";
import { inFolder } from "../../support/folder.ts";

/** Few rounds, each with a kill: `deno task crash` runs hundreds. */
const rounds = { server: 4, firstStart: 2, engine: 3 };

const random = createRandom(Number(Deno.env.get("CRASH_SEED") ?? Date.now() % 1_000_000));

function assertSurvived({ losses, acknowledged }: CrashReport): void {
  assertEquals(losses, []);
  assert(acknowledged > 0, "nothing was acknowledged");
}

describe("What the server has acknowledged", () => {
  for (const engine of engines) {
    const skip = engine.missing;

    it(`survives kills of the server under load, with ${engine.name}`, { skip }, async () => {
      const options = { rounds: rounds.server, random };
      assertSurvived(await inFolder((folder) => killUnderLoad(engine, { ...options, folder })));
    });

    it(`needs no start that was not killed, with ${engine.name}`, { skip }, async () => {
      const options = { rounds: rounds.firstStart, random };
      const report = await inFolder((folder) => killFirstStart(engine, { ...options, folder }));
      assertEquals(report.losses, []);
    });
  }

  for (const engine of engines.filter(({ hasServer }) => hasServer)) {
    const skip = engine.missing;

    it(`survives kills of ${engine.name} under load`, { skip }, async () => {
      const options = { rounds: rounds.engine, random };
      assertSurvived(await inFolder((folder) => killEngine(engine, { ...options, folder })));
    });
  }
});
