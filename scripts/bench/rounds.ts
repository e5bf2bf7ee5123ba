import { medianOf, quantileOf } from "../trials/numbers.ts";
import { openConnection } from "./connection.ts";
import type { Subject } from "./subject.ts";
import { type Operation, prepareWorkloads, type WorkloadName, workloadNames } from "./workloads.ts";

/** How much is measured. */
export interface RoundSettings {
  rounds: number;
  /** How often a round repeats a workload. */
  operations: number;
  only?: readonly string[] | undefined;
}

/** What one round of a workload cost on a server. */
export interface Sample {
  subject: Subject;
  /** CPU time of the server for an operation, in microseconds. */
  cpu: number;
  perSecond: number;
  /** The slowest operation of a hundred, divided by the median. */
  tail: number;
}

/** When a measurement ends: after some operations, or earlier after some time. */
interface Extent {
  operations: number;
  milliseconds?: number;
}

interface PreparedSubject {
  subject: Subject;
  workloads: Awaited<ReturnType<typeof prepareWorkloads>>;
}

const connectionCount = 16;
/** What comes before the measured operations, so that the code is compiled as in a busy server. */
export const warmUp: Extent = { operations: 8000, milliseconds: 3000 };

/**
 * Measures servers in turns, so that what else the machine does meets all of them alike. Yields the
 * samples of each workload.
 */
export async function* runRounds(
  subjects: readonly Subject[],
  { rounds, operations, only }: RoundSettings,
): AsyncGenerator<[WorkloadName, Sample[]]> {
  const prepared = await Promise.all(subjects.map(prepare));
  for (const workload of workloadNames.filter((name) => only?.includes(name) ?? true)) {
    for (const each of prepared) await measure(each, workload, warmUp);
    const samples: Sample[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const each of prepared) samples.push(...await measure(each, workload, { operations }));
    }
    yield [workload, samples];
  }
}

async function prepare(subject: Subject): Promise<PreparedSubject> {
  const { send, close } = await openConnection(subject.port);
  const workloads = await prepareWorkloads(subject, send);
  close();
  return { subject, workloads };
}

async function measure(
  { subject, workloads }: PreparedSubject,
  workload: WorkloadName,
  extent: Extent,
): Promise<Sample[]> {
  const operation = workloads.get(workload);
  return operation ? [await runRound(subject, operation, extent)] : [];
}

/** Measures one round of a workload on a server. */
export async function runRound(
  subject: Subject,
  operation: Operation,
  { operations, milliseconds = Infinity }: Extent,
): Promise<Sample> {
  // A server closes connections that were silent while the others were measured.
  const opening = Array.from({ length: connectionCount }, () => openConnection(subject.port));
  const connections = await Promise.all(opening);
  const before = await subject.ask("/usage");
  const start = performance.now();
  const times: number[] = [];
  let started = 0;
  await Promise.all(connections.map(async ({ send }) => {
    while (started++ < operations && performance.now() - start < milliseconds) {
      const begin = performance.now();
      await operation(send);
      times.push(performance.now() - begin);
    }
  }));
  const elapsed = performance.now() - start;
  const after = await subject.ask("/usage");
  for (const { close } of connections) close();
  return {
    subject,
    cpu: (after.cpu - before.cpu) / times.length,
    perSecond: times.length / (elapsed / 1000),
    tail: quantileOf(times, 0.99) / medianOf(times),
  };
}
