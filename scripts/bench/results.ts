import { medianOf, quantileOf } from "../trials/numbers.ts";
import type { Subject } from "./servers.ts";
import type { WorkloadName } from "./workloads.ts";

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
  return [...bySubject].map(([{ name }, own]): Result => {
    const times = cpuOf(own);
    const cpu = medianOf(times);
    return {
      name,
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

function row(workload: string, server: string, ...numbers: string[]): string {
  const columns = numbers.map((number) => number.padStart(11));
  return `${workload.padEnd(20)}${server.padEnd(20)}${columns.join("")}`;
}

function percent(share: number): string {
  return Number.isNaN(share) ? "" : `${Math.round(share * 100)} %`;
}
