import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { findFreePort } from "../../tests/support/free_port.ts";
import { compile } from "../child.ts";
import { medianOf } from "../trials/numbers.ts";
import type { Trial } from "../trials/trial.ts";
import { openConnection } from "./connection.ts";
import { ownPaths } from "./workloads.ts";

/** How often each program is started; the median counts. */
const starts = 15;
const goal = 2.5;

const emptyServer = "scripts/bench/floor/empty_server.ts";

/** The commands of a lab and of an empty server on the same runtime, for a port. */
interface Started {
  name: string;
  lab(port: string): string[];
  floor(port: string): string[];
}

/** Measures the time from the start of a lab to its first answer, beside an empty server. */
export const measureStartup: Trial = {
  title: "a lab, from its start to its first answer",
  async run(folder) {
    const empty = await compile(join(folder, "empty"), emptyServer);
    const binary = await compile(join(folder, "hallpass"));
    const deno = process.execPath;
    const labs: readonly Started[] = [
      {
        name: "the binary",
        lab: (port) => [binary, "lab", "--port", port],
        floor: (port) => [empty, port],
      },
      {
        name: "deno task start",
        lab: (port) => [deno, "task", "start", "--port", port],
        floor: (port) => [deno, "run", "--allow-net", emptyServer, port],
      },
    ];
    const figures: string[] = [];
    for (const each of labs) figures.push(await compareStarts(each));
    return { figures, problems: [] };
  },
};

async function compareStarts({ name, lab, floor }: Started): Promise<string> {
  const times: Record<"floor" | "lab", number[]> = { floor: [], lab: [] };
  for (let count = 0; count < starts; count++) {
    times.floor.push(await timeToAnswer(floor));
    times.lab.push(await timeToAnswer(lab));
  }
  const [ofFloor, ofLab] = [medianOf(times.floor), medianOf(times.lab)];
  const ratio = (ofLab / ofFloor).toFixed(1);
  return `${name} ${ofLab.toFixed(1)} ms, an empty server ${ofFloor.toFixed(1)} ms: ` +
    `${ratio} times as long; goal: at most ${goal} times`;
}

async function timeToAnswer(commandFor: (port: string) => string[]): Promise<number> {
  const port = await findFreePort();
  const [program = "", ...args] = commandFor(`${port}`);
  const start = performance.now();
  // A task starts a process of its own, which ends with the group of both.
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  try {
    while (child.exitCode === null && !(await isAnswered(port))) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    if (child.exitCode !== null) throw new Error(`${program} ended before it answered.`);
    return performance.now() - start;
  } finally {
    if (child.pid !== undefined && child.exitCode === null) {
      process.kill(-child.pid, "SIGKILL");
      await once(child, "exit");
    }
  }
}

async function isAnswered(port: number): Promise<boolean> {
  const connection = await openConnection(port).catch(() => undefined);
  if (!connection) return false;
  const { status } = await connection.send(ownPaths.discovery);
  connection.close();
  return status === 200;
}
