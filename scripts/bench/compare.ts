import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "../../tests/support/free_port.ts";
import { commandOn } from "../trials/process.ts";
import { writeTrialConfig } from "../trials/server.ts";
import { openAllStores } from "../trials/stores.ts";
import type { Trial } from "../trials/trial.ts";
import { measureFirstFlows } from "./first_flows.ts";
import { measureMixed } from "./mixed.ts";
import { startPeers } from "./peers.ts";
import { type Bar, drawChart, header, type Result, rowOf, summarize } from "./results.ts";
import { type RoundSettings, runRounds } from "./rounds.ts";
import { startSubject, type Subject } from "./subject.ts";
import { ownPaths } from "./workloads.ts";

/** What to measure, beside the floor. */
export interface Comparison extends RoundSettings {
  runtime: string;
  alg: string;
  /** The addresses of stores; by default, every one whose server is found. */
  stores?: readonly string[] | undefined;
  /** Other builds of the program, to measure in the same rounds. */
  beside: readonly string[];
  /** Whether to measure a lab as well, which records every request. */
  lab: boolean;
  /** Whether to measure other servers as well, which run on Node. */
  peers: boolean;
  /** Whether to draw a chart of each workload. */
  draw: boolean;
}

/** A Hallpass to measure. */
interface HallpassKind {
  name: string;
  /** The URL of its store. */
  store?: string;
  /** The file of another build of the program, instead of this source. */
  build?: string;
  mode?: "serve" | "lab";
}

const own = { paths: ownPaths, without: [], hasSessions: true };
const ours = { ...own, whose: "ours" } as const;
const floor = { ...own, whose: "floor", name: "floor" } as const;

const chartFolder = ".build/bench/charts";

/** The store of a lab and of other builds. */
const memory = "memory";

/** How many times the CPU time of another build an operation may take: rounds differ. */
const maxCost = 1.25;

/** Measures Hallpass on each store, with the floor of the runtime in the same rounds. */
export function compareServers(comparison: Comparison): Trial {
  const { runtime, alg } = comparison;
  return {
    title: `${runtime}, ${alg}`,
    async run(folder) {
      const subjects = await startSubjects(comparison, folder);
      const figures = [header];
      const problems: string[] = [];
      for await (const [workload, samples] of runRounds(subjects, comparison)) {
        const results = summarize(workload, samples);
        figures.push(...results.map(rowOf));
        problems.push(...costlier(results, comparison.beside.map(otherBuild)));
        if (comparison.draw) await drawResults(runtime, results);
      }
      for (const subject of subjects) await subject.stop("SIGKILL");
      return { figures, problems };
    },
  };
}

/** Measures the first flows of fresh processes with the store in memory. */
export function compareFirstFlows(comparison: Comparison): Trial {
  const { runtime, rounds, beside, lab } = comparison;
  return measureFirstFlows(runtime, rounds, async (folder) => {
    const start = (kind: HallpassKind) => startHallpass(comparison, folder, kind);
    const kinds: HallpassKind[] = [{ name: memory }];
    if (lab) kinds.push({ name: "lab", mode: "lab" });
    kinds.push(...beside.map(otherBuild));
    const startWithFloor = async () => {
      const hallpass = await start({ name: memory });
      const subject = await startFloor(comparison, folder, hallpass);
      await hallpass.stop("SIGKILL");
      return subject;
    };
    return [
      { name: floor.name, start: startWithFloor },
      ...kinds.map((kind) => ({ name: kind.name, start: () => start(kind) })),
    ];
  });
}

function otherBuild(build: string, index: number): HallpassKind {
  return { name: `other build ${index + 1}`, build };
}

/** Measures reads beside writes, on each store. */
export function compareMixed(comparison: Comparison): Trial {
  const { runtime, rounds } = comparison;
  return measureMixed(runtime, rounds, (folder) => startOwn(comparison, folder));
}

async function startSubjects(comparison: Comparison, folder: string): Promise<Subject[]> {
  const { runtime, alg, peers } = comparison;
  const running = await startOwn(comparison, folder);
  const [first] = running;
  if (!first) throw new Error("There is no server to measure.");
  const others = peers && runtime === "node" ? await startPeers(alg) : [];
  return [await startFloor(comparison, folder, first), ...running, ...others];
}

/** Starts Hallpass with each store, as a lab if that is asked for, and its other builds. */
async function startOwn(comparison: Comparison, folder: string): Promise<Subject[]> {
  const { stores, beside, lab } = comparison;
  const start = (kind: HallpassKind) => startHallpass(comparison, folder, kind);
  const running: Subject[] = [];
  for (const store of stores ?? await openAllStores(folder)) {
    const [name = ""] = store.split(":");
    running.push(await start({ name, store }));
  }
  if (lab) running.push(await start({ name: "lab", mode: "lab" }));
  for (const build of beside.map(otherBuild)) running.push(await start(build));
  return running;
}

/** Starts Hallpass as an operator does. */
async function startHallpass(
  { runtime, alg }: Comparison,
  folder: string,
  { name, store = "memory", build, mode = "serve" }: HallpassKind,
): Promise<Subject> {
  const config = await writeTrialConfig(folder, { alg, store, offersEveryFlow: false });
  const command = await commandOn(runtime, build);
  return await startSubject({ name, ...ours }, [...command, mode, "--config", config]);
}

/** Starts the floor. It serves the documents of a Hallpass that runs. */
async function startFloor(
  { runtime, alg }: Comparison,
  folder: string,
  hallpass: Subject,
): Promise<Subject> {
  const documents = join(folder, "documents.json");
  const text = async (path: string) =>
    (await (await fetch(`http://localhost:${hallpass.port}${path}`)).text()).trim();
  const document = await text(ownPaths.discovery);
  await writeFile(documents, JSON.stringify({ document, keys: await text(ownPaths.jwks) }));
  const command = await commandOn(runtime, "scripts/bench/floor/server.ts");
  const args = [`${await findFreePort()}`, alg, documents];
  return await startSubject(floor, [...command, ...args]);
}

/** Returns what costs more than in another build, in the middle and in the best of the rounds. */
function costlier(results: readonly Result[], builds: readonly HallpassKind[]): string[] {
  const find = (name: string) => results.find((each) => each.name === name);
  const ours = find(memory);
  return builds.flatMap(({ name }) => {
    const theirs = find(name);
    if (!ours || !theirs) return [];
    const cost = Math.min(ours.cpu / theirs.cpu, ours.best / theirs.best);
    return cost > maxCost ? [`${ours.workload}: ${cost.toFixed(2)} times the ${name}.`] : [];
  });
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
