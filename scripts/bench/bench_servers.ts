import { mkdir, writeFile } from "node:fs/promises";
import { type Bar, drawChart } from "./chart.ts";
import { startPeers } from "./peers.ts";
import { type RoundSettings, runRounds } from "./rounds.ts";
import { startFloor, startHallpass } from "./servers.ts";
import { findStores } from "./stores.ts";
import type { Runtime } from "./subject.ts";
import { printHeader, printResults, type Result, summarize } from "./table.ts";

/** What to measure, beside the floor. */
export interface ServerBench extends RoundSettings {
  runtime: Runtime;
  alg: string;
  /** The addresses of stores; by default, every one whose server is found. */
  stores?: readonly string[] | undefined;
  /** Another build of the program, to measure in the same rounds. */
  beside?: string | undefined;
  /** Whether to measure a lab as well, which records every request. */
  lab: boolean;
  /** Whether to measure other servers as well, which run on Node. */
  peers: boolean;
  /** Whether to draw a chart of each workload. */
  draw: boolean;
}

const chartFolder = ".build/bench/charts";

/** Measures Hallpass on each store, with the floor of the runtime in the same rounds. */
export async function benchServers(bench: ServerBench): Promise<void> {
  const { runtime, alg, beside } = bench;
  const running = [];
  for (const store of bench.stores ?? await findStores()) {
    running.push(await startHallpass({ runtime, alg, store }));
  }
  if (bench.lab) running.push(await startHallpass({ runtime, alg, store: "memory" }, "lab"));
  if (beside) running.push(await startHallpass({ runtime, alg, store: "memory", build: beside }));
  const [first] = running;
  if (!first) return;
  const peers = bench.peers && runtime === "node" ? await startPeers(alg) : [];
  const subjects = [await startFloor({ runtime, alg, store: "" }, first), ...running, ...peers];
  try {
    printHeader(`${runtime}, ${alg}`);
    for await (const samples of runRounds(subjects, bench)) {
      const results = summarize(samples);
      printResults(results);
      if (bench.draw) await drawResults(runtime, results, peers.map(({ name }) => name));
    }
  } finally {
    for (const subject of subjects) await subject.stop();
  }
}

/** Draws a chart of one workload. */
async function drawResults(
  runtime: Runtime,
  results: readonly Result[],
  peers: readonly string[],
): Promise<void> {
  const [{ workload } = { workload: "" }] = results;
  await mkdir(chartFolder, { recursive: true });
  const file = `${chartFolder}/${runtime}-${workload.replaceAll(" ", "-")}.svg`;
  const bars = results.map(({ subject, cpu }): Bar => {
    if (subject === "floor") return { label: "floor", cpu, whose: "floor" };
    if (peers.includes(subject)) return { label: subject, cpu, whose: "theirs" };
    return { label: `Hallpass, ${subject}`, cpu, whose: "ours" };
  });
  await writeFile(file, drawChart(workload, runtime, bars));
}
