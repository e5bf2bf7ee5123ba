import fc from "fast-check";
import process from "node:process";
import type { FuzzTarget } from "./fuzz_target.ts";

/** How long and from where a target is run. */
export interface FuzzOptions {
  seed: number;
  /** How many inputs at most. */
  maxInputs: number;
  /** When to stop, in milliseconds from now. */
  timeLimit?: number | undefined;
  /** How much CPU time one input may take, in milliseconds. Default: as much as it takes. */
  maxMilliseconds?: number | undefined;
}

/** What a target did with its inputs. */
export interface FuzzReport {
  inputs: number;
  /** The smallest input that shows a fault, if one was found. */
  failure?: FuzzFailure | undefined;
}

export interface FuzzFailure {
  input: unknown;
  problem: string;
}

/** Gives a target inputs until one of them shows a fault. */
export async function runTarget(
  target: FuzzTarget,
  { seed, maxInputs, timeLimit, maxMilliseconds = Infinity }: FuzzOptions,
): Promise<FuzzReport> {
  const property = fc.asyncProperty(
    target.inputs,
    (input) => checkInTime(target, input, maxMilliseconds),
  );
  const limits = timeLimit === undefined ? {} : { interruptAfterTimeLimit: timeLimit };
  const { result: details, rejections } = await collectRejections(() =>
    fc.check(property, { seed, numRuns: maxInputs, ...limits })
  );
  const { numRuns, failed, counterexample, errorInstance } = details;
  if (rejections.length > 0) {
    const problem = `unhandled rejection: ${describe(rejections[0])}`;
    return { inputs: numRuns, failure: { input: counterexample?.[0], problem } };
  }
  if (!failed || !counterexample) return { inputs: numRuns };
  return {
    inputs: numRuns,
    failure: { input: counterexample[0], problem: describe(errorInstance) },
  };
}

/**
 * Checks an input. One that takes long is checked again: the first time, code is compiled. CPU time
 * counts, because the machine may be busy, and no part of the program waits for a timer.
 */
async function checkInTime(
  { check }: FuzzTarget,
  input: unknown,
  maxMilliseconds: number,
): Promise<void> {
  const durations: number[] = [];
  do {
    const started = process.cpuUsage();
    await check(input);
    const { user, system } = process.cpuUsage(started);
    durations.push((user + system) / 1000);
  } while (durations.length < 3 && (durations.at(-1) ?? 0) > maxMilliseconds);
  const fastest = Math.min(...durations);
  if (fastest > maxMilliseconds) {
    throw new Error(`It took ${Math.round(fastest)} ms of CPU time, three times.`);
  }
}

/** Runs something, and collects the promises that are rejected without anyone noticing. */
async function collectRejections<T>(
  run: () => Promise<T>,
): Promise<{ result: T; rejections: unknown[] }> {
  const rejections: unknown[] = [];
  const note = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    rejections.push(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", note);
  try {
    const result = await run();
    await new Promise((resolve) => setTimeout(resolve));
    return { result, rejections };
  } finally {
    globalThis.removeEventListener("unhandledrejection", note);
  }
}

function describe(cause: unknown): string {
  return cause instanceof Error ? cause.stack ?? cause.message : String(cause);
}
