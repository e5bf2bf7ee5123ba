import { mkdir, writeFile } from "node:fs/promises";
import process from "node:process";
import { bundle, optionalPackages } from "../../bundle.ts";
import { runCommand } from "../../child.ts";
import { binary } from "../../npx.ts";
import { runRounds } from "../rounds.ts";
import { startHallpass } from "../servers.ts";
import { findStores } from "../stores.ts";
import type { Runtime } from "../subject.ts";
import { median } from "../table.ts";
import { recordCalls, type RecordedCalls } from "./recorded_calls.ts";

const folder = ".build/bench";
const source = "scripts/bench/store_limit/replay_calls.ts";
const minute = 60_000;

/** Which store to measure, and how much. */
export interface StoreLimitBench {
  runtime: Runtime;
  alg: string;
  stores?: readonly string[] | undefined;
  rounds: number;
  operations: number;
}

/**
 * For each store on a disk, compares what Hallpass does in a second with what the calls of its
 * store allow, when nothing else is done on the same core of the same runtime.
 */
export async function benchStoreLimit(bench: StoreLimitBench): Promise<void> {
  const { runtime, alg } = bench;
  const recorded = await recordCalls();
  const stores = bench.stores ?? await findStores();
  console.log(`\n${runtime}: operations in a second, beside what the calls of the store allow`);
  for (const store of stores.filter((address) => address !== "memory")) {
    const server = await startHallpass({ runtime, alg, store });
    try {
      for (const name of ["flow", "refresh"] as const) {
        const limits: number[] = [];
        const served: number[] = [];
        for (let round = 0; round < bench.rounds; round++) {
          limits.push(await measureLimit(bench, store, recorded[name]));
          const settings = { rounds: 1, operations: bench.operations, only: [name] };
          for await (const samples of runRounds([server], settings)) {
            served.push(...samples.map(({ perSecond }) => perSecond));
          }
        }
        print(server.name, name, recorded[name], median(served), median(limits));
      }
    } finally {
      await server.stop();
    }
  }
}

/** Returns how often the calls alone fit into a second. */
async function measureLimit(
  { runtime, operations }: StoreLimitBench,
  store: string,
  groups: RecordedCalls["flow"],
): Promise<number> {
  await mkdir(folder, { recursive: true });
  const file = `${folder}/calls.json`;
  await writeFile(file, JSON.stringify(groups));
  const command = ["taskset", "-c", "0", ...await commandOf(runtime), store, file, `${operations}`];
  const { code, output } = await runCommand(command, { timeout: 2 * minute });
  if (code !== 0) throw new Error(`The calls of ${store} ended with exit code ${code}:\n${output}`);
  return JSON.parse(output.trim().split("\n").at(-1) ?? "").perSecond;
}

async function commandOf(runtime: Runtime): Promise<string[]> {
  if (runtime === "deno") return [process.execPath, "run", "--allow-all", "--no-check", source];
  if (runtime === "bun") return [await binary("bun@1"), source];
  const outfile = `${folder}/replay_calls.mjs`;
  bundle({ entryPoints: [source], outfile, external: [...optionalPackages] });
  return [await binary("node@24"), "--disable-warning=ExperimentalWarning", outfile];
}

function print(
  store: string,
  name: string,
  groups: RecordedCalls["flow"],
  served: number,
  limit: number,
): void {
  const calls = groups.flat().length;
  const share = `${Math.round((100 * served) / limit)} %`;
  console.log(
    `${store.padEnd(10)}${name.padEnd(10)}${served.toFixed(0).padStart(7)} of ` +
      `${limit.toFixed(0).padStart(6)}: ${
        share.padStart(5)
      }   (${calls} calls, one after another ` +
      `${groups.length} times)`,
  );
}
