import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { findFreePort } from "../../tests/support/free_port.ts";
import { compile } from "../child.ts";
import { medianOf } from "../trials/numbers.ts";
import type { Trial } from "../trials/trial.ts";
import { openConnection } from "./connection.ts";
import { ownPaths } from "./subject.ts";

/** How often each program is started; the median counts. */
const starts = 15;
const goal = 1.5;

/** Measures the time from the start of the binary to its first answer, beside an empty server. */
export const measureStartup: Trial = {
  title: "the binary, from its start to its first answer",
  async run(folder) {
    const floor = await compile(join(folder, "empty"), "scripts/bench/floor/empty_server.ts");
    const program = await compile(join(folder, "hallpass"));
    const times: Record<"floor" | "lab", number[]> = { floor: [], lab: [] };
    for (let count = 0; count < starts; count++) {
      times.floor.push(await timeToAnswer(floor, (port) => [port]));
      times.lab.push(await timeToAnswer(program, (port) => ["lab", "--port", port]));
    }
    const [ofFloor, ofLab] = [medianOf(times.floor), medianOf(times.lab)];
    return {
      figures: [
        `an empty server of Bun ${ofFloor.toFixed(1)} ms`,
        `hallpass lab ${ofLab.toFixed(1)} ms`,
        `${(ofLab / ofFloor).toFixed(1)} times as long; goal: at most ${goal} times`,
      ],
      problems: [],
    };
  },
};

async function timeToAnswer(
  program: string,
  argsFor: (port: string) => string[],
): Promise<number> {
  const port = await findFreePort();
  const start = performance.now();
  const child = spawn(program, argsFor(`${port}`), { stdio: "ignore" });
  try {
    while (child.exitCode === null && !(await isAnswered(port))) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    if (child.exitCode !== null) throw new Error(`${program} ended before it answered.`);
    return performance.now() - start;
  } finally {
    child.kill("SIGKILL");
    if (child.exitCode === null) await once(child, "exit");
  }
}

async function isAnswered(port: number): Promise<boolean> {
  const connection = await openConnection(port).catch(() => undefined);
  if (!connection) return false;
  const { status } = await connection.send(ownPaths.discovery);
  connection.close();
  return status === 200;
}
