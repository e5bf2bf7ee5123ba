import type { LabProbe } from "../../../../lab/layers/probe.ts";

export type OpenLabForRun<Target> = (probe: LabProbe, job: number) => Promise<VettedLab<Target>>;

/** A lab that one run of a suite uses. */
export interface VettedLab<Target> {
  /** How the suite reaches the lab: an address, or the lab itself. */
  target: Target;
  close(): Promise<void>;
}

/** Runs a suite once. */
export interface SuiteRunner<Target> {
  run(target: Target, conditions: RunConditions): Promise<SuiteRun>;
}

/** What a run of a suite must keep to. */
export interface RunConditions {
  /** Aborts when the run must end at once. */
  signal: AbortSignal;
  /** How long the run may take, in milliseconds; undefined before the first one. */
  timeout: number | undefined;
  /** The number of the job, counted from 1. Two runs of the same job never overlap. */
  job: number;
}

export interface SuiteRun {
  passed: boolean;
  /** Why the run ended before its tests did. */
  ended?: "timeout" | "killed" | undefined;
  /** How long it took, in milliseconds. */
  milliseconds: number;
  /** The last lines of its output, without credentials. */
  output?: string | undefined;
}

/** Why a suite cannot be vetted. */
export type VetProblem = UnfitSuite | "not_started" | "stopped";

/** Why the runs of a suite without a fault show that it cannot be vetted. */
export type UnfitSuite = "suite_fails" | "no_traffic" | "runs_differ";

const messages: Record<UnfitSuite, string> = {
  suite_fails:
    "Your suite fails without any fault, so a test that fails under one would show nothing. " +
    "Fix the suite first.",
  no_traffic:
    "Your suite passes, but it sent no request to the lab. It may talk to its real issuer, or to " +
    "a mock: give it the address of the lab.",
  runs_differ:
    "Your suite passed without a fault, and then failed without one. As long as its runs differ, " +
    "a failed test shows nothing.",
};

export class VetError extends Error {
  override readonly name = "VetError";
  /** Why the suite cannot be vetted. */
  readonly problem: VetProblem;
  readonly run: SuiteRun | undefined;

  /** Creates the error from the problem, the run that shows it, and what to say. */
  constructor(problem: VetProblem, message: string, run?: SuiteRun) {
    super(message);
    this.problem = problem;
    this.run = run;
  }
}

/** Creates the error for a suite whose runs without a fault show that it cannot be vetted. */
export function unfitSuite(problem: UnfitSuite, run?: SuiteRun): VetError {
  return new VetError(problem, messages[problem], run);
}
