import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { findFreePort } from "../../tests/support/free_port.ts";
import { runCommand } from "../child.ts";
import { openConnection } from "./connection.ts";
import { ownPaths } from "./subject.ts";

const minute = 60_000;
const folder = ".build/bench";
/** How often each program is started; the median counts. */
const starts = 15;
const goal = 1.5;

/** Measures the time from the start of the binary to its first answer, beside an empty server. */
export async function benchStartup(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const floor = await compile("scripts/bench/floor/empty_server.ts", `${folder}/empty`);
  const program = await compile("src/main.ts", `${folder}/hallpass`);
  const times: Record<"floor" | "lab", number[]> = { floor: [], lab: [] };
  for (let count = 0; count < starts; count++) {
    times.floor.push(await timeToAnswer(floor, (port) => [port]));
    times.lab.push(await timeToAnswer(program, (port) => ["lab", "--port", port]));
  }
  const [ofFloor, ofLab] = [medianOf(times.floor), medianOf(times.lab)];
  console.log("the binary, from its start to its first answer");
  console.log(`an empty server of Bun ${ofFloor.toFixed(1).padStart(9)} ms`);
  console.log(`hallpass lab           ${ofLab.toFixed(1).padStart(9)} ms`);
  console.log(`${(ofLab / ofFloor).toFixed(1)} times as long; goal: at most ${goal} times\n`);
}

/** Compiles a program with the command of `deno task compile`. */
async function compile(source: string, outfile: string): Promise<string> {
  const { tasks } = JSON.parse(await readFile("deno.json", "utf8"));
  const words: Record<string, string> = { "src/main.ts": source, "dist/hallpass": outfile };
  const command: string[] = tasks.compile.command.split(" ");
  const { code, output } = await runCommand(command.map((word) => words[word] ?? word), {
    timeout: 2 * minute,
  });
  if (code !== 0) throw new Error(`Cannot compile ${source}:\n${output}`);
  return outfile;
}

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
  const request = `GET ${ownPaths.discovery} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`;
  const { status } = await connection.send(request);
  connection.close();
  return status === 200;
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}
