import { medianOf } from "../trials/numbers.ts";
import type { Trial } from "../trials/trial.ts";
import { runRound, warmUp } from "./rounds.ts";
import type { Subject } from "./subject.ts";
import { flowOf } from "./workloads.ts";

/** How many flows a test suite makes in one process: too few for a compiler to warm up. */
const firstFlows = 200;

/** How many flows are measured afterwards. */
const warmFlows = 1000;

const goal = 1.5;

/** A server to measure, which is started anew in each round. */
interface FreshServer {
  name: string;
  start(): Promise<Subject>;
}

/** What a flow costs in a process, in microseconds of CPU time. */
interface FlowCosts {
  first: number;
  warm: number;
}

/** Measures the first flows of fresh processes, in turns, and those of the same processes later. */
export function measureFirstFlows(
  runtime: string,
  rounds: number,
  startServers: (folder: string) => Promise<FreshServer[]>,
): Trial {
  return {
    title: `the first ${firstFlows} flows of a process, ${runtime}`,
    async run(folder) {
      const servers = (await startServers(folder)).map((server) => ({
        ...server,
        costs: [] as FlowCosts[],
      }));
      for (let round = 0; round < rounds; round++) {
        for (const { start, costs } of servers) costs.push(await measure(start));
      }
      return { figures: servers.map(({ name, costs }) => describe(name, costs)), problems: [] };
    },
  };
}

async function measure(start: FreshServer["start"]): Promise<FlowCosts> {
  const subject = await start();
  try {
    const flow = flowOf(subject);
    const cost = async (operations: number) => (await runRound(subject, flow, { operations })).cpu;
    const first = await cost(firstFlows);
    await runRound(subject, flow, warmUp);
    return { first, warm: await cost(warmFlows) };
  } finally {
    await subject.stop("SIGKILL");
  }
}

function describe(name: string, costs: readonly FlowCosts[]): string {
  const first = medianOf(costs.map(({ first }) => first));
  const warm = medianOf(costs.map(({ warm }) => warm));
  const least = Math.min(...costs.map(({ first }) => first));
  return `${name.padEnd(20)} ${first.toFixed(0)} µs each (least ${least.toFixed(0)}), warm ` +
    `${warm.toFixed(0)}: ${(first / warm).toFixed(1)} times as much; goal: at most ${goal}`;
}
