import { type RoundSettings, runRounds } from "./rounds.ts";
import { startFloor, startHallpass } from "./servers.ts";
import type { Runtime } from "./subject.ts";
import { printResults, summarize } from "./table.ts";

/** What to measure, beside the floor. */
export interface ServerBench extends RoundSettings {
  runtime: Runtime;
  alg?: string | undefined;
  stores?: readonly string[] | undefined;
  /** Another build of the program, to measure in the same rounds. */
  beside?: string | undefined;
}

/** Measures Hallpass on each store, with the floor of the runtime in the same rounds. */
export async function benchServers(bench: ServerBench): Promise<void> {
  const { runtime, stores = ["memory"], beside } = bench;
  const alg = bench.alg ?? (runtime === "deno" ? "EdDSA" : "ES256");
  const running = [];
  for (const store of stores) running.push(await startHallpass({ runtime, alg, store }));
  if (beside) running.push(await startHallpass({ runtime, alg, store: "memory", build: beside }));
  const [first] = running;
  if (!first) return;
  const subjects = [await startFloor({ runtime, alg, store: "" }, first), ...running];
  try {
    printResults(`${runtime}, ${alg}`, summarize(await runRounds(subjects, bench)));
  } finally {
    for (const subject of subjects) await subject.stop();
  }
}
