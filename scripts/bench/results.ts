import { medianOf, quantileOf } from "../trials/numbers.ts";
import type { Sample } from "./rounds.ts";
import type { SubjectKind } from "./subject.ts";
import type { WorkloadName } from "./workloads.ts";

/** They can be told apart on light and on dark pages. */
const colors = { floor: "#8c959f", ours: "#0969da", theirs: "#bf8700" };

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

/** What the rounds of a workload gave, for one server. */
export interface Result {
  name: string;
  whose: SubjectKind["whose"];
  workload: WorkloadName;
  /** The median of the rounds, in microseconds of CPU time. */
  cpu: number;
  /** The round that was disturbed least. */
  best: number;
  /** How far the rounds are apart: half of them are within this part of the median. */
  spread: number;
  /** The time of the floor, divided by this one. */
  share: number;
  perSecond: number;
  /** The slowest operation of a hundred, divided by the median. */
  tail: number;
}

/** A bar of a chart. */
export interface Bar {
  label: string;
  /** In microseconds. */
  cpu: number;
  whose: SubjectKind["whose"];
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
export function drawChart(workload: string, runtime: string, bars: readonly Bar[]): string {
  const longest = Math.max(...bars.map(({ cpu }) => cpu));
  const scale = (width - labelWidth - numberWidth) / longest;
  const height = top + bars.length * rowHeight;
  const title = `${workload} on ${runtime}: microseconds of CPU time, less is better`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escape(title)}</title>`,
    "<style>text { font: 14px system-ui, sans-serif; fill: #57606a }</style>",
    `<text x="0" y="20" font-weight="600">${escape(title)}</text>`,
    ...bars.map((bar, row) => drawBar(bar, top + row * rowHeight, scale)),
    "</svg>\n",
  ].join("\n");
}

function row(workload: string, server: string, ...numbers: string[]): string {
  const columns = numbers.map((number) => number.padStart(11));
  return `${workload.padEnd(20)}${server.padEnd(20)}${columns.join("")}`;
}

function percent(share: number): string {
  return Number.isNaN(share) ? "" : `${Math.round(share * 100)} %`;
}

function drawBar({ label, cpu, whose }: Bar, y: number, scale: number): string {
  const length = Math.max(1, Math.round(cpu * scale));
  const textY = y + barHeight - 4;
  return [
    `<text x="0" y="${textY}">${escape(label)}</text>`,
    `<rect x="${labelWidth}" y="${y}" width="${length}" height="${barHeight}" fill="${
      colors[whose]
    }"/>`,
    `<text x="${labelWidth + length + 6}" y="${textY}">${cpu.toFixed(0)}</text>`,
  ].join("");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
