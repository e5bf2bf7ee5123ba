import type { Sample } from "./rounds.ts";
import { type WorkloadName, workloadNames } from "./workloads.ts";

/** What the rounds of a workload gave, for one server. */
export interface Result {
  subject: string;
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

/** Summarizes samples by their medians. */
export function summarize(samples: readonly Sample[]): Result[] {
  const subjects = [...new Set(samples.map(({ subject }) => subject))];
  return workloadNames.flatMap((workload) => {
    const of = (subject: string) =>
      samples.filter((each) => each.workload === workload && each.subject === subject);
    const floor = median(of("floor").map(({ cpu }) => cpu));
    return subjects.filter((subject) => of(subject).length > 0).map((subject) => {
      const times = of(subject).map(({ cpu }) => cpu);
      const cpu = median(times);
      const spread = (quantile(times, 0.75) - quantile(times, 0.25)) / 2 / cpu;
      const perSecond = median(of(subject).map(({ perSecond }) => perSecond));
      const tail = median(of(subject).map(({ p50, p99 }) => p99 / p50));
      const best = Math.min(...times);
      return { subject, workload, cpu, best, spread, share: floor / cpu, perSecond, tail };
    });
  });
}

/** Prints the head of a table. */
export function printHeader(title: string): void {
  console.log(`\n${title}`);
  console.log(
    row("workload", "server", "CPU µs", "best", "spread", "of floor", "per second", "p99/p50"),
  );
}

/** Prints a line for each workload and server. */
export function printResults(results: readonly Result[]): void {
  for (const { workload, subject, cpu, best, spread, share, perSecond, tail } of results) {
    console.log(row(
      workload,
      subject,
      cpu.toFixed(0),
      best.toFixed(0),
      `± ${percent(spread)}`,
      percent(share),
      perSecond.toFixed(0),
      tail.toFixed(1),
    ));
  }
}

function row(workload: string, subject: string, ...numbers: string[]): string {
  const columns = numbers.map((number) => number.padStart(11));
  return `${workload.padEnd(20)}${subject.padEnd(20)}${columns.join("")}`;
}

function percent(share: number): string {
  return Number.isNaN(share) ? "" : `${Math.round(share * 100)} %`;
}

/** Returns the number in the middle. */
function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
}
