import type { LabProbe } from "../../../../lab/layers/probe.ts";

/** Opens a lab for one run of a suite. */
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

/** How one run of a suite ended. */
export interface SuiteRun {
  /** Whether every test passed. */
  passed: boolean;
  /** Why the run ended before its tests did. */
  ended?: "timeout" | "killed" | undefined;
  /** How long it took, in milliseconds. */
  milliseconds: number;
  /** The last lines of its output, without credentials. */
  output?: string | undefined;
}
