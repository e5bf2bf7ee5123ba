import process from "node:process";
import { bundle, optionalPackages } from "../../bundle.ts";
import { runCommand } from "../../child.ts";
import { binary } from "../../npx.ts";
import { findStores } from "../stores.ts";
import type { Runtime } from "../subject.ts";
import type { MemoryFigures, RowFigures } from "./measure_growth.ts";

const minute = 60_000;
const folder = ".build/bench";
const program = `${folder}/measure_growth.mjs`;

/** How many flows are alive when the memory is measured. */
const liveFlows = [10_000, 100_000];
const maxBytesPerFlow = 2000;

/** How many rows a store has when its speed is measured. The first one is the measure of others. */
const rowCounts = [1000, 10_000, 100_000, 1_000_000];

/** What is measured, and on which runtime. */
export interface GrowthBench {
  runtime: Runtime;
  alg: string;
}

/** Measures how much memory a live flow takes, and how much is left once all have expired. */
export async function benchMemory(bench: GrowthBench): Promise<void> {
  bundleProgram();
  console.log(`\n${bench.runtime}: heap of a live flow in the memory store`);
  for (const flows of liveFlows) {
    const { perFlow, left }: MemoryFigures = await measure(bench, "memory", `${flows}`);
    console.log(
      `${number(flows)} flows${number(perFlow)} bytes each   goal: at most ${maxBytesPerFlow}` +
        `   left after their time: ${(left / 1e6).toFixed(1)} MB`,
    );
  }
}

/** Measures what a flow and an introspection cost as the store grows. */
export async function benchRows(
  { stores, ...bench }: GrowthBench & { stores?: readonly string[] | undefined },
  maxRows: number,
): Promise<void> {
  bundleProgram();
  console.log(`\n${bench.runtime}: time by the rows in the store, in µs, and as a ratio`);
  for (const store of stores ?? await findStores()) {
    let first: RowFigures | undefined;
    // A store keeps its rows, and gets more. That in memory begins anew.
    let present = 0;
    for (const count of rowCounts.filter((each) => each <= maxRows)) {
      const figures: RowFigures = await measure(bench, "rows", store, `${present}`, `${count}`);
      if (store !== "memory") present = count;
      first ??= figures;
      const columns = [
        ...["flow", number(figures.flow), ratio(figures.flow, first.flow)],
        ...["introspect", number(figures.introspect), ratio(figures.introspect, first.introspect)],
      ];
      console.log(
        `${store.split(":")[0]}${number(count)} rows   ${columns.join(" ")}`,
      );
    }
  }
}

/** Node cannot run our TypeScript, and the others run the same bundle. */
function bundleProgram(): void {
  bundle({
    entryPoints: ["scripts/bench/growth/measure_growth.ts"],
    outfile: program,
    external: [...optionalPackages],
  });
}

async function measure<T>(
  { runtime, alg }: GrowthBench,
  part: string,
  ...rest: string[]
): Promise<T> {
  const command = [...await commandOf(runtime), program, part, alg, ...rest];
  const { code, output } = await runCommand(command, { timeout: 30 * minute });
  if (code !== 0) throw new Error(`${command.join(" ")} ended with exit code ${code}:\n${output}`);
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}

async function commandOf(runtime: Runtime): Promise<string[]> {
  if (runtime === "deno") {
    return [process.execPath, "run", "--allow-all", "--no-check", "--v8-flags=--expose-gc"];
  }
  if (runtime === "bun") return [await binary("bun@1")];
  return [await binary("node@24"), "--disable-warning=ExperimentalWarning", "--expose-gc"];
}

function number(value: number): string {
  return value.toFixed(0).padStart(9);
}

function ratio(value: number, first: number): string {
  return `× ${(value / first).toFixed(2)}`;
}
