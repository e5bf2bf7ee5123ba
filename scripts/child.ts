import { spawn } from "node:child_process";
import process from "node:process";

/** How a program ended. */
export interface Ended {
  /** The exit code; none where it was killed. */
  code: number | null;
  output: string;
  timedOut: boolean;
}

/** Runs a program in a process group of its own, so that nothing it started outlives it. */
export function run(
  command: string[],
  options: {
    deadline: number;
    cwd?: string;
    env?: Record<string, string | undefined>;
    echo?: boolean;
  },
): Promise<Ended> {
  const [program, ...args] = command;
  const env = { ...process.env, ...options.env };
  const child = spawn(program, args, {
    cwd: options.cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let timedOut = false;
  const take = (chunk: Uint8Array) => {
    output += new TextDecoder().decode(chunk);
    if (options.echo) process.stdout.write(chunk);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const stop = () => {
    killGroup(child.pid);
    process.exit(130);
  };
  // A group of its own hears nothing of the Ctrl-C that ends this program.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child.pid);
  }, options.deadline);
  return new Promise((resolve) => {
    child.on("error", (cause) => resolve({ code: null, output: `${output}${cause}`, timedOut }));
    child.on("close", (code) => {
      clearTimeout(timer);
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.removeListener(signal, stop);
      killGroup(child.pid);
      resolve({ code, output, timedOut });
    });
  });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
