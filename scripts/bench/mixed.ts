import { setTimeout as delay } from "node:timers/promises";
import { medianOf, quantileOf } from "../trials/numbers.ts";
import type { Trial } from "../trials/trial.ts";
import { openConnection } from "./connection.ts";
import { runRound, warmUp } from "./rounds.ts";
import type { Subject } from "./subject.ts";
import { type Operation, prepareWorkloads } from "./workloads.ts";

/** How many flows are made while the introspections are measured. */
const flowCount = 2000;

/** How often an introspection is sent, in milliseconds, and for how long without any flows. */
const pause = 2;
const quietTime = 1000;

const goals = "goals: at most 3 times alone; SQLite at least 65 % of the flows of memory";

/** What one round measured on one server: times in milliseconds. */
interface MixedSample {
  name: string;
  alone: number[];
  during: number[];
  flowsPerSecond: number;
}

/** Measures how long introspections take while others make flows, which write to the store. */
export function measureMixed(
  runtime: string,
  rounds: number,
  startServers: (folder: string) => Promise<Subject[]>,
): Trial {
  return {
    title: `introspections while flows are written, ${runtime}; ${goals}`,
    async run(folder) {
      const subjects = await startServers(folder);
      const operations = await Promise.all(subjects.map(prepare));
      const samples: MixedSample[] = [];
      for (let round = 0; round < rounds; round++) {
        for (const operation of operations) samples.push(await measure(operation));
      }
      for (const subject of subjects) await subject.stop("SIGKILL");
      const byName = Map.groupBy(samples, ({ name }) => name);
      return { figures: [...byName].map(([name, own]) => describe(name, own)), problems: [] };
    },
  };
}

interface PreparedServer {
  subject: Subject;
  flow: Operation;
  introspect: Operation;
}

async function prepare(subject: Subject): Promise<PreparedServer> {
  const { send, close } = await openConnection(subject.port);
  const workloads = await prepareWorkloads(subject, send);
  close();
  const [flow, introspect] = [workloads.get("flow"), workloads.get("introspect")];
  if (!flow || !introspect) throw new Error(`${subject.name} has no flow or no introspection.`);
  for (const operation of [introspect, flow]) await runRound(subject, operation, warmUp);
  return { subject, flow, introspect };
}

async function measure({ subject, flow, introspect }: PreparedServer): Promise<MixedSample> {
  const alone = await timesOf(subject, introspect, delay(quietTime));
  const flows = runRound(subject, flow, { operations: flowCount });
  const during = await timesOf(subject, introspect, flows);
  const { perSecond: flowsPerSecond } = await flows;
  return { name: subject.name, alone, during, flowsPerSecond };
}

/** Sends an operation again and again until something ends, and returns how long each took. */
async function timesOf(
  subject: Subject,
  operation: Operation,
  ends: Promise<unknown>,
): Promise<number[]> {
  const { send, close } = await openConnection(subject.port);
  const times: number[] = [];
  let hasEnded = false;
  void ends.finally(() => hasEnded = true);
  while (!hasEnded) {
    const begin = performance.now();
    await operation(send);
    times.push(performance.now() - begin);
    await delay(pause);
  }
  close();
  return times;
}

function describe(name: string, samples: readonly MixedSample[]): string {
  const middle = (valueOf: (sample: MixedSample) => number) => medianOf(samples.map(valueOf));
  const p99 = {
    alone: middle(({ alone }) => quantileOf(alone, 0.99)),
    during: middle(({ during }) => quantileOf(during, 0.99)),
  };
  return `${name.padEnd(14)} p50 ${middle(({ alone }) => medianOf(alone)).toFixed(2)} ms alone, ` +
    `${middle(({ during }) => medianOf(during)).toFixed(2)} with flows; ` +
    `p99 ${p99.alone.toFixed(1)} and ${p99.during.toFixed(1)}, ` +
    `${(p99.during / p99.alone).toFixed(1)} times; ` +
    `${middle(({ flowsPerSecond }) => flowsPerSecond).toFixed(0)} flows a second`;
}
