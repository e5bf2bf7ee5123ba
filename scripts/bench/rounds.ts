import { setTimeout as delay } from "node:timers/promises";
import { present } from "../../tests/support/present.ts";
import { inTurns, isAfter, medianOf, quantileOf, repeat } from "../trials/numbers.ts";
import type { Trial } from "../trials/trial.ts";
import { openConnection } from "./connection.ts";
import { header, type Result, rowOf, type Sample, summarize } from "./results.ts";
import { type Comparison, nameOf, serversOf, startSubject, type Subject } from "./servers.ts";
import { flowOf, type Operation, prepareWorkloads, workloadNames } from "./workloads.ts";

/** How much is measured of which servers. */
interface RoundSettings extends Comparison {
  rounds: number;
  /** How often a round repeats a workload. */
  operations: number;
  /** Only these workloads. */
  only?: readonly string[] | undefined;
}

const connectionCount = 16;

/** What comes before the measured operations, so that the code is compiled as in a busy server. */
const warmUp = { operations: 8000, milliseconds: 3000 };

/** How many times the CPU time of another build an operation may take: rounds differ. */
const maxCost = 1.25;

/** How many flows a test suite makes in one process: too few for a compiler to warm up. */
const firstFlows = 200;

/** How many flows are measured afterwards, and while introspections are measured. */
const warmFlows = 1000;
const mixedFlows = 2000;

/** How often an introspection is sent, in milliseconds, and for how long without any flows. */
const pause = 2;
const quietTime = 1000;

/** Measures servers in turns, so that what else the machine does meets all of them alike. */
export function compareServers(settings: RoundSettings): Trial {
  const { runtime, alg, rounds, operations, only, beside } = settings;
  return {
    title: `${runtime}, ${alg}`,
    async run(folder) {
      const figures = [header];
      const problems: string[] = [];
      const prepared = await prepareAll(settings, folder);
      for (const workload of workloadNames.filter((name) => only?.includes(name) ?? true)) {
        const measured = prepared.flatMap(({ subject, workloads }) => {
          const operation = workloads.get(workload);
          return operation ? [{ subject, operation }] : [];
        });
        for (const { subject, operation } of measured) await runRound(subject, operation, warmUp);
        const samples = await inTurns(
          rounds,
          measured,
          ({ subject, operation }) => runRound(subject, operation, { operations }),
        );
        const results = summarize(workload, samples.flat());
        figures.push(...results.map(rowOf));
        problems.push(...costlier(results, beside.length));
      }
      for (const { subject } of prepared) await subject.stop("SIGKILL");
      return { figures, problems };
    },
  };
}

/** Measures the first flows of fresh processes, in turns, and those of the same processes later. */
export function compareFirstFlows(settings: RoundSettings): Trial {
  return {
    title: `the first ${firstFlows} flows of a process, ${settings.runtime}`,
    async run(folder) {
      const inMemory = { ...settings, stores: ["memory"], peers: false };
      const kinds = await serversOf(inMemory, folder);
      const costs = await inTurns(settings.rounds, kinds, async (kind) => {
        const subject = await startSubject(kind);
        const flow = flowOf(subject);
        const first = await runRound(subject, flow, { operations: firstFlows });
        await runRound(subject, flow, warmUp);
        const warm = await runRound(subject, flow, { operations: warmFlows });
        await subject.stop("SIGKILL");
        return { first: first.cpu, warm: warm.cpu };
      });
      const figures = costs.map((cost, at) => {
        const all = cost.map(({ first }) => first);
        const [first, warm] = [medianOf(all), medianOf(cost.map(({ warm }) => warm))];
        const least = Math.min(...all).toFixed(0);
        return `${kinds[at]?.name.padEnd(20)} ${first.toFixed(0)} µs each (least ${least}), warm ` +
          `${warm.toFixed(0)}: ${(first / warm).toFixed(1)} times as much; goal: at most 1.5`;
      });
      return { figures, problems: [] };
    },
  };
}

/** Measures how long introspections take while others make flows, which write to the store. */
export function compareMixed(settings: RoundSettings): Trial {
  const goals = "goals: at most 3 times alone; SQLite at least 65 % of the flows of memory";
  return {
    title: `introspections while flows are written, ${settings.runtime}; ${goals}`,
    async run(folder) {
      const prepared = (await prepareAll({ ...settings, peers: false }, folder))
        .filter(({ subject }) => subject.whose === "ours").map(({ subject, workloads }) => {
          const [flow, introspect] = [workloads.get("flow"), workloads.get("introspect")];
          if (!flow || !introspect) throw new Error(`${subject.name} cannot be measured.`);
          return { subject, flow, introspect };
        });
      for (const { subject, flow, introspect } of prepared) {
        for (const operation of [introspect, flow]) await runRound(subject, operation, warmUp);
      }
      const all = await inTurns(
        settings.rounds,
        prepared,
        async ({ subject, flow, introspect }) => {
          const alone = await timesOf(subject, introspect, delay(quietTime));
          const flows = runRound(subject, flow, { operations: mixedFlows });
          const during = await timesOf(subject, introspect, flows);
          return { alone, during, perSecond: (await flows).perSecond };
        },
      );
      for (const { subject } of prepared) await subject.stop("SIGKILL");
      const figures = all.map((samples, at) => {
        const waits = [0.5, 0.99].map((share) => {
          const waitOf = (when: "alone" | "during") =>
            medianOf(samples.map((sample) => quantileOf(sample[when], share)));
          const [alone, during] = [waitOf("alone"), waitOf("during")];
          const times = (during / alone).toFixed(1);
          return `p${100 * share} ${alone.toFixed(2)} ms alone, ${times} times with flows`;
        });
        const flows = medianOf(samples.map(({ perSecond }) => perSecond));
        const name = prepared[at]?.subject.name.padEnd(14);
        return `${name} ${waits.join("; ")}; ${flows.toFixed(0)} flows a second`;
      });
      return { figures, problems: [] };
    },
  };
}

/** Starts the servers of a comparison, and prepares their workloads. */
async function prepareAll(settings: RoundSettings, folder: string) {
  const subjects: Subject[] = [];
  for (const kind of await serversOf(settings, folder)) subjects.push(await startSubject(kind));
  return await Promise.all(subjects.map(async (subject) => {
    const { send, close } = await openConnection(subject.port);
    const workloads = await prepareWorkloads(subject, send);
    close();
    return { subject, workloads };
  }));
}

/** Measures one round of a workload on a server: some operations, or what fits into some time. */
async function runRound(
  subject: Subject,
  operation: Operation,
  { operations, milliseconds = Infinity }: { operations: number; milliseconds?: number },
): Promise<Sample> {
  // A server closes connections that were silent while the others were measured.
  const opening = Array.from({ length: connectionCount }, () => openConnection(subject.port));
  const connections = await Promise.all(opening);
  const before = await subject.ask("/usage");
  const start = performance.now();
  const isLate = isAfter(milliseconds);
  const times = await repeat((_, worker) => operation(present(connections[worker]).send), {
    isOver: (count) => count >= operations || isLate(),
    workers: connectionCount,
  });
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

/** Sends an operation again and again until something ends, and returns how long each took. */
async function timesOf(subject: Subject, operation: Operation, ends: Promise<unknown>) {
  const { send, close } = await openConnection(subject.port);
  let hasEnded = false;
  void ends.finally(() => hasEnded = true);
  const times: number[] = [];
  while (!hasEnded) {
    times.push(...await repeat(() => operation(send), { isOver: () => true }));
    await delay(pause);
  }
  close();
  return times;
}

/** Returns what costs more than in another build, in the middle and in the best of the rounds. */
function costlier(results: readonly Result[], otherBuilds: number): string[] {
  return Array.from({ length: otherBuilds }, (_, at) => at + 1).flatMap((build) =>
    results.flatMap((ours) => {
      const theirs = results.find(({ name }) => name === nameOf(ours.name, build));
      if (!theirs) return [];
      const cost = Math.min(ours.cpu / theirs.cpu, ours.best / theirs.best);
      return cost > maxCost ? [`${ours.workload}: ${cost.toFixed(2)} times ${theirs.name}.`] : [];
    })
  );
}
