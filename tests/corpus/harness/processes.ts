import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import process from "node:process";

/** A process that goes on until it is ended, with its children. */
export interface RunningProcess extends AsyncDisposable {
  /** Returns the last lines that it printed. */
  output(): string;
  /** Whether it has ended by itself. */
  hasEnded(): boolean;
  /** Sends a signal to it, and to its children. */
  signal(name: "SIGSTOP" | "SIGCONT"): void;
}

const maxLength = 4000;
const running = new Set<number>();

process.once("exit", () => {
  for (const id of running) endGroup(id);
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

/** Starts a process in its own group, so that none of its children outlives it. */
export function startProcess(
  [program = "", ...args]: readonly string[],
  { cwd, env }: { cwd?: string; env?: Record<string, string> } = {},
): RunningProcess {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { pid = 0 } = child;
  running.add(pid);
  let output = "";
  let hasEnded = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => output = (output + text).slice(-maxLength));
  }
  child.on("error", (cause) => output += cause);
  const ended = once(child, "close").catch(() => {}).then(() => hasEnded = true);
  return {
    output: () => output,
    hasEnded: () => hasEnded,
    signal: (name) => signalGroup(pid, name),
    async [Symbol.asyncDispose]() {
      endGroup(pid);
      running.delete(pid);
      await ended;
    },
  };
}

function endGroup(id: number): void {
  signalGroup(id, "SIGKILL");
}

function signalGroup(id: number, name: NodeJS.Signals): void {
  try {
    if (id > 0) process.kill(-id, name);
  } catch {
    // It has ended already.
  }
}

/** Waits until something responds at a URL. */
export async function untilItResponds(
  url: string,
  started: RunningProcess,
  seconds: number,
  isUp: (status: number) => boolean = () => true,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end && !started.hasEnded()) {
    try {
      const signal = AbortSignal.timeout(5000);
      const response = await fetch(url, { redirect: "manual", signal });
      await response.body?.cancel();
      if (isUp(response.status)) return;
    } catch {
      // It does not listen yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${url} does not respond:\n${started.output()}`);
}

/** Returns a port of the loopback interface that nobody uses. */
export async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}
