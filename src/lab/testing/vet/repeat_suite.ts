import { messageOf } from "../../../server/util/text/error_message.ts";
import type { RunConditions, SuiteRun } from "../../vet/suite_runner.ts";
import type { RecordedCall } from "./recorded_call.ts";

/** The timer of the runtime: a test may have replaced it by one that does not run. */
const { setTimeout, clearTimeout } = globalThis;
const now = Date.now;

const timedOut = Symbol("timed out");

/** Calls everything that was recorded again, in the same order, and notes which tests fail. */
export async function repeatSuite(
  calls: readonly RecordedCall[],
  { timeout }: Pick<RunConditions, "timeout">,
): Promise<SuiteRun> {
  const start = now();
  const failures = new Map<string, string>();
  const left = () => timeout === undefined ? undefined : timeout - (now() - start);
  const endWith = (ended?: SuiteRun["ended"]): SuiteRun => ({
    passed: failures.size === 0 && ended === undefined,
    ended,
    milliseconds: now() - start,
    failedTests: [...failures.keys()],
    output: [...failures].map(([name, message]) => `${name}: ${message}`).join("\n"),
  });
  for (const call of calls) {
    const problem = await within(left(), attempt(call));
    if (problem === timedOut) {
      failures.set(call.name, "It did not end in time.");
      return endWith("timeout");
    }
    if (problem !== undefined) failures.set(call.name, problem);
  }
  return endWith();
}

/** Returns why a call failed, or undefined. */
async function attempt(call: RecordedCall): Promise<string | undefined> {
  try {
    await call.repeat();
    return undefined;
  } catch (cause) {
    return messageOf(cause).split("\n", 1)[0] || "It failed.";
  }
}

/** Returns what a promise resolves to, or that it took too long. */
async function within<T>(
  milliseconds: number | undefined,
  promise: Promise<T>,
): Promise<T | typeof timedOut> {
  if (milliseconds === undefined) return await promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(() => resolve(timedOut), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([promise, end]);
  } finally {
    clearTimeout(timer);
  }
}
