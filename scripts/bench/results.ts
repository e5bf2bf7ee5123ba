import { mkdir, writeFile } from "node:fs/promises";
import { medianOf, quantileOf } from "../trials/numbers.ts";
import type { ServerKind, Subject } from "./servers.ts";
import type { WorkloadName } from "./workloads.ts";

/** They can be told apart on light and on dark pages. */
const colors = { floor: "#8c959f", ours: "#0969da", theirs: "#bf8700" };

const chartFolder = ".build/bench/charts";

/** The layout of the chart, in pixels. */
const width = 640;
const barHeight = 18;
const rowHeight = 26;
const labelWidth = 175;
const numberWidth = 70;
const top = 40;

/** The head of the table. */
export const header: string = row(
  "workload",
  "server",
  ...["CPU µs", "best", "spread", "of floor", "per second", "p99/p50"],
);

/** What one round of a workload cost on a server. */
export interface Sample {
  subject: Subject;
  /** CPU time of the server for an operation, in microseconds. */
  cpu: number;
  perSecond: number;
  /** The slowest operation of a hundred, divided by the median. */
  tail: number;
}

/** What the rounds of a workload gave, for one server: medians. */
export interface Result extends Omit<Sample, "subject"> {
  name: string;
  whose: ServerKind["whose"];
  workload: WorkloadName;
  /** The round that was disturbed least. */
  best: number;
  /** How far the rounds are apart: half of them are within this part of the median. */
  spread: number;
  /** The time of the floor, divided by this one. */
  share: number;
}

/** Summarizes the samples of a workload by their medians. */
export function summarize(workload: WorkloadName, samples: readonly Sample[]): Result[] {
  const cpuOf = (some: readonly Sample[]) => some.map(({ cpu }) => cpu);
  const bySubject = Map.groupBy(samples, ({ subject }) => subject);
  const floor = medianOf(cpuOf(samples.filter(({ subject }) => subject.whose === "floor")));
  return [...bySubject].map(([{ name, whose }, own]): Result => {
    const times = cpuOf(own);
    const cpu = medianOf(times);
    return {
      name,
      whose,
      workload,
      cpu,
      best: Math.min(...times),
      spread: (quantileOf(times, 0.75) - quantileOf(times, 0.25)) / 2 / cpu,
      share: floor / cpu,
      perSecond: medianOf(own.map(({ perSecond }) => perSecond)),
      tail: medianOf(own.map(({ tail }) => tail)),
    };
  });
}

/** Returns the line of the table for a workload and a server. */
export function rowOf(
  { workload, name, cpu, best, spread, share, perSecond, tail }: Result,
): string {
  return row(
    workload,
    name,
    cpu.toFixed(0),
    best.toFixed(0),
    `± ${percent(spread)}`,
    percent(share),
    perSecond.toFixed(0),
    tail.toFixed(1),
  );
}

/** Draws the CPU time of each server as bars. */
export async function drawResults(runtime: string, results: readonly Result[]): Promise<void> {
  const [{ workload } = { workload: "" }] = results;
  const scale = (width - labelWidth - numberWidth) / Math.max(...results.map(({ cpu }) => cpu));
  const height = top + results.length * rowHeight;
  const title = escape(`${workload} on ${runtime}: microseconds of CPU time, less is better`);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${title}</title>`,
    "<style>text { font: 14px system-ui, sans-serif; fill: #57606a }</style>",
    `<text x="0" y="20" font-weight="600">${title}</text>`,
    ...results.map(({ name, cpu, whose }, at) => {
      const length = Math.max(1, Math.round(cpu * scale));
      const y = top + at * rowHeight;
      const label = escape(whose === "ours" ? `Hallpass, ${name}` : name);
      const bar = `x="${labelWidth}" y="${y}" width="${length}" height="${barHeight}"`;
      return `<text x="0" y="${y + barHeight - 4}">${label}</text>` +
        `<rect ${bar} fill="${colors[whose]}"/>` +
        `<text x="${labelWidth + length + 6}" y="${y + barHeight - 4}">${cpu.toFixed(0)}</text>`;
    }),
    "</svg>\n",
  ];
  await mkdir(chartFolder, { recursive: true });
  const file = `${chartFolder}/${runtime}-${workload.replaceAll(" ", "-")}.svg`;
  await writeFile(file, lines.join("\n"));
}

function row(workload: string, server: string, ...numbers: string[]): string {
  const columns = numbers.map((number) => number.padStart(11));
  return `${workload.padEnd(20)}${server.padEnd(20)}${columns.join("")}`;
}

function percent(share: number): string {
  return Number.isNaN(share) ? "" : `${Math.round(share * 100)} %`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
