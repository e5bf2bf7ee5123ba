import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { createDeferred, withTimeout } from "../../src/server/util/time/promises.ts";
import type { Usage } from "./probe.ts";

/** A server in a process of its own, with the probe in it. It ends with this process. */
export interface TrialProcess {
  issuer: string;
  /** Where it listens. */
  port: number;
  /** Asks the probe for `/usage`, for `/memory` after a garbage collection, or to do something. */
  ask(path: string): Promise<Usage>;
  /** How many rows the last sweep has deleted; undefined if there was none since the last call. */
  takeLastSweep(): number | undefined;
  /** Ends the server, and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The issuer of a server that has another port at each start. Nothing listens there. */
export const lastingIssuer = "http://localhost:1";

/** How long a start may take, in milliseconds: slow machines exist. */
const startTimeout = 5 * 60_000;

/** How many of the last lines are kept, for an error. */
const maxLines = 50;

/** Starts a server, and resolves when it is ready. Its log is read and not kept. */
export async function startTrialProcess(
  [program = "", ...args]: readonly string[],
): Promise<TrialProcess> {
  const env = { ...process.env, NO_COLOR: "1" };
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  // By its id: on Deno, `child.kill` hides the exit code, and sends one signal only.
  const kill = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(child.pid, signal);
  };
  const killAtExit = () => kill("SIGKILL");
  process.once("exit", killAtExit);
  const ended = once(child, "exit").then(([code]) => {
    process.off("exit", killAtExit);
    return code as number | null;
  });
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
  const ready = Promise.race([reader.ready, failed]);
  const [issuer, port, probePort] = await withTimeout(startTimeout, ready, () => {
    kill("SIGKILL");
    return new Error(`The server does not become ready:\n${lines.join("\n")}`);
  });
  return {
    issuer,
    port: Number(port),
    ask: async (path) => await (await fetch(`http://127.0.0.1:${probePort}${path}`)).json(),
    takeLastSweep: reader.takeLastSweep,
    async stop(signal = "SIGTERM") {
      kill(signal);
      return await ended;
    },
  };
}

/** Picks from the lines of a server what a trial needs. */
function createLineReader() {
  const issuer = createDeferred<string>();
  const port = createDeferred<string>();
  const probePort = createDeferred<string>();
  let lastSweep: number | undefined;
  return {
    ready: Promise.all([issuer.promise, port.promise, probePort.promise]),
    read(line: string): void {
      const [, probe] = /^probe ready (\d+)/.exec(line) ?? [];
      const [, url, address = url] = /^\w+ ready (http\S+)(?: at (\S+))?/.exec(line) ?? [];
      const [, rows] = / rows\.swept +rows=(\d+)/.exec(line) ?? [];
      if (probe !== undefined) probePort.resolve(probe);
      if (url !== undefined) issuer.resolve(url);
      if (address !== undefined) port.resolve(new URL(address).port);
      if (rows !== undefined) lastSweep = Number(rows);
    },
    takeLastSweep() {
      const rows = lastSweep;
      lastSweep = undefined;
      return rows;
    },
  };
}
