import { mkdir, writeFile } from "node:fs/promises";
import { joinReports, type Trial, type TrialReport } from "../trials/trial.ts";
import { openAllStores } from "../trials/trial_stores.ts";
import { type Bar, drawChart } from "./chart.ts";
import { startPeers } from "./peers.ts";
import { type RoundSettings, runRounds } from "./rounds.ts";
import { type RunSettings, startFloor, startHallpass } from "./servers.ts";
import type { Subject } from "./subject.ts";
import { header, type Result, rowOf, summarize } from "./table.ts";

/** What to measure, beside the floor. */
export interface Comparison extends RoundSettings {
  runtime: string;
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

/** The store of a lab and of another build. */
const memory = "memory";
const other = "other build";

/** How many times the CPU time of another build an operation may take: rounds differ. */
const maxCost = 1.25;

/** Measures Hallpass on each store, with the floor of the runtime in the same rounds. */
export function compareServers(comparison: Comparison): Trial {
  const { runtime, alg } = comparison;
  return {
    title: `${runtime}, ${alg}`,
    async run(folder) {
      const subjects = await startSubjects(comparison, { runtime, alg, folder });
      const reports: TrialReport[] = [{ figures: [header], problems: [] }];
      for await (const [workload, samples] of runRounds(subjects, comparison)) {
        const results = summarize(workload, samples);
        reports.push({ figures: results.map(rowOf), problems: costlier(results) });
        if (comparison.draw) await drawResults(runtime, results);
      }
      for (const subject of subjects) await subject.stop("SIGKILL");
      return joinReports(reports);
    },
  };
}

async function startSubjects(
  { stores, beside, lab, peers }: Comparison,
  settings: RunSettings,
): Promise<Subject[]> {
  const running: Subject[] = [];
  for (const store of stores ?? await openAllStores(settings.folder)) {
    const [name = ""] = store.split(":");
    running.push(await startHallpass(settings, { name, store }));
  }
  if (lab) running.push(await startHallpass(settings, { name: "lab", mode: "lab" }));
  if (beside) running.push(await startHallpass(settings, { name: other, build: beside }));
  const [first] = running;
  if (!first) throw new Error("There is no server to measure.");
  const others = peers && settings.runtime === "node" ? await startPeers(settings.alg) : [];
  return [await startFloor(settings, first), ...running, ...others];
}

/** Returns what costs more than in the other build, in the middle and in the best of the rounds. */
function costlier(results: readonly Result[]): string[] {
  const [ours, theirs] = [memory, other].map((name) => results.find((each) => each.name === name));
  if (!ours || !theirs) return [];
  const cost = Math.min(ours.cpu / theirs.cpu, ours.best / theirs.best);
  return cost > maxCost ? [`${ours.workload}: ${cost.toFixed(2)} times the other build.`] : [];
}

/** Draws a chart of one workload. */
async function drawResults(runtime: string, results: readonly Result[]): Promise<void> {
  const [{ workload } = { workload: "" }] = results;
  await mkdir(chartFolder, { recursive: true });
  const file = `${chartFolder}/${runtime}-${workload.replaceAll(" ", "-")}.svg`;
  const bars = results.map(({ name, cpu, whose }): Bar => ({
    label: whose === "ours" ? `Hallpass, ${name}` : name,
    cpu,
    whose,
  }));
  await writeFile(file, drawChart(workload, runtime, bars));
}
