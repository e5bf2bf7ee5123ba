import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { createDeferred, withTimeout } from "../../src/server/util/time/promises.ts";

/** A server in a process of its own, and what it has printed. */
export interface SoakedProcess {
  /** Where it listens. */
  issuer: string;
  /** Where the probe listens. */
  probePort: number;
  /** How many rows the last sweep has deleted; undefined if there was none since the last call. */
  takeLastSweep(): number | undefined;
  /** Stops the server, and returns its exit code. */
  stop(): Promise<number | null>;
}

/** How long a start may take, in milliseconds: slow machines exist. */
const startTimeout = 5 * 60_000;

/** How many of the last lines are kept, for an error. */
const maxLines = 50;

/** Starts a server, and resolves when it is ready. Its log is read and not kept. */
export async function startSoakedProcess(
  [program = "", ...args]: readonly string[],
): Promise<SoakedProcess> {
  const env = { ...process.env, NO_COLOR: "1" };
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const lines: string[] = [];
  const reader = createLineReader();
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on("line", (line) => {
      reader.read(line);
      lines.push(line);
      if (lines.length > maxLines) lines.shift();
    });
  }
  const failed = ended.then((code): never => {
    throw new Error(`The server ended with exit code ${code}:\n${lines.join("\n")}`);
  });
  // Once the server is ready, its end is no longer a failure.
  failed.catch(() => {});
  const ready = Promise.race([Promise.all([reader.probePort, reader.issuer]), failed]);
  const [probePort, issuer] = await withTimeout(startTimeout, ready, () => {
    if (child.pid !== undefined) process.kill(child.pid, "SIGKILL");
    return new Error(`The server does not become ready:\n${lines.join("\n")}`);
  });
  return {
    issuer,
    probePort,
    takeLastSweep: reader.takeLastSweep,
    async stop() {
      // By its id: on Deno, `child.kill` hides the exit code.
      if (child.pid !== undefined && child.exitCode === null) process.kill(child.pid, "SIGTERM");
      return await ended;
    },
  };
}

/** Picks from the lines of a server what a soak needs. */
function createLineReader() {
  const found = { probe: createDeferred<number>(), issuer: createDeferred<string>() };
  let lastSweep: number | undefined;
  return {
    probePort: found.probe.promise,
    issuer: found.issuer.promise,
    read(line: string): void {
      const [, probePort] = /^probe ready (\d+)/.exec(line) ?? [];
      const [, issuer] = /^hallpass ready (\S+)/.exec(line) ?? [];
      const [, rows] = / rows\.swept +rows=(\d+)/.exec(line) ?? [];
      if (probePort !== undefined) found.probe.resolve(Number(probePort));
      if (issuer !== undefined) found.issuer.resolve(issuer);
      if (rows !== undefined) lastSweep = Number(rows);
    },
    takeLastSweep() {
      const rows = lastSweep;
      lastSweep = undefined;
      return rows;
    },
  };
}
