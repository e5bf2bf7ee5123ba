import { readFile } from "node:fs/promises";
import process from "node:process";
import { type CommandOptions, type CommandResult, runCommand } from "../child.ts";

/** How a command ended, and after how many seconds. */
export interface MeasuredResult extends CommandResult {
  seconds: number;
  /** How long it kept a processor busy, with its children; 0 if that is unknown. */
  cpuSeconds: number;
}

/** Runs a command, and measures it with a file for the times that a shell prints. */
export async function runMeasured(
  command: readonly string[],
  file: string,
  options: CommandOptions,
): Promise<MeasuredResult> {
  const shell = ["sh", "-c", '"$@"; code=$?; times >"$0"; exit $code', file];
  const started = performance.now();
  const result = await runCommand(
    process.platform === "win32" ? command : [...shell, ...command],
    options,
  );
  const seconds = (performance.now() - started) / 1000;
  return { ...result, seconds, cpuSeconds: await readTimes(file) };
}

/** Prints "in 1.2 s (CPU 2.3 s)". */
export function secondsOf({ seconds, cpuSeconds }: Omit<MeasuredResult, keyof CommandResult>) {
  return `in ${seconds.toFixed(1)} s (CPU ${cpuSeconds.toFixed(1)} s)`;
}

/** Reads what `times` prints: "0m1.23s 0m0.45s", of the shell and then of its children. */
async function readTimes(file: string): Promise<number> {
  const text = await readFile(file, "utf8").catch(() => "");
  const times = [...text.matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
}
