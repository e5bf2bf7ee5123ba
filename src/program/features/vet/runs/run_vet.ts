import type { DrillVariant } from "../../../../lab/features/drill/variants/variants.ts";
import type { FaultName } from "../../../../lab/features/faults/catalogue.ts";
import {
  type PlainRun,
  type VetOutcome,
  type VetResult,
  vetResultOf,
} from "../result/vet_result.ts";
import { checkStillPasses, runPlain, runUnder, type VettedSuite } from "./run_suite.ts";
import type { RunConditions } from "./suite_runner.ts";
import { selectVetVariants } from "./vet_variants.ts";

/** What `vet` needs to know. */
export interface VetOptions<Target> extends VettedSuite<Target> {
  /** The faults of the variants; without it, all. */
  only?: readonly FaultName[] | undefined;
  /**
   * How many runs go on at the same time, each with its own lab.
   *
   * @default 1
   */
  jobs?: number | undefined;
  /** How long a run may take, in milliseconds. */
  timeout?: number | undefined;
  /** Aborts when everything must end at once. */
  signal?: AbortSignal | undefined;
  /** Called when a run begins or ends. */
  onProgress?: ((progress: VetProgress) => void) | undefined;
}

/** How far `vet` is. */
export interface VetProgress {
  plain: PlainRun;
  /** What became of the suite under each variant, in the order in which the runs ended. */
  outcomes: readonly VetOutcome[];
  /** The faults of the runs that go on. */
  running: readonly string[];
}

/** Does one piece of work. The signal aborts when another piece has failed. */
type Work<Item> = (item: Item, job: number, signal: AbortSignal) => Promise<void>;

/** The shortest time after which a run counts as one that hangs, in milliseconds. */
const minTimeout = 10_000;
/** How much longer than the plain run another one may take. */
const timeoutFactor = 5;
/** How many runs that fail for another reason are repeated. */
const maxRepeats = 3;

/**
 * Runs a suite once as it is, and then once for each variant that its traffic can meet.
 *
 * @throws {VetError} The suite fails without a fault, never reaches the lab, or its runs differ.
 */
export async function runVet<Target>(options: VetOptions<Target>): Promise<VetResult> {
  const { only, jobs = 1, signal = new AbortController().signal } = options;
  const variants = selectVetVariants(only);
  const conditions = { signal, job: 1, timeout: options.timeout };
  const plain = await runPlain(options, variants, conditions);
  const timeout = options.timeout ?? Math.max(minTimeout, timeoutFactor * plain.milliseconds);
  const met = variants.filter(({ fault }) => plain.met.includes(fault));
  const track = trackOutcomes(plain, options);
  let repeats = 0;
  const mayRepeat = () => repeats++ < maxRepeats;
  await inJobs(jobs, met, signal, async (variant, job, jobSignal) => {
    track.begin(variant);
    const run: RunConditions = { signal: jobSignal, job, timeout };
    track.end(await runUnder(options, { variant, plain, mayRepeat }, run));
  });
  const outcomes = inOrder(variants, track.outcomes(), plain);
  const result = vetResultOf(plain, outcomes);
  // Tests that fail now and then would have seemed to notice something.
  const isAnyNoticed = outcomes.some(({ outcome }) => outcome === "noticed");
  if (isAnyNoticed) await checkStillPasses(options, { signal, job: 1, timeout });
  return result;
}

/** Collects the outcomes, and reports each step. */
function trackOutcomes<Target>(
  plain: PlainRun,
  { onProgress = () => {} }: VetOptions<Target>,
) {
  let outcomes: readonly VetOutcome[] = [];
  let running: string[] = [];
  const report = () => onProgress({ plain, outcomes, running });
  report();
  return {
    begin({ fault }: DrillVariant): void {
      running = [...running, fault];
      report();
    },
    end(outcome: VetOutcome): void {
      running = running.filter((fault) => fault !== outcome.fault);
      outcomes = [...outcomes, outcome];
      report();
    },
    outcomes: () => outcomes,
  };
}

/** Sorts the outcomes as the catalogue does. A variant without a run was never met. */
function inOrder(
  variants: readonly DrillVariant[],
  outcomes: readonly VetOutcome[],
  { reasons }: PlainRun,
): VetOutcome[] {
  return variants.map((variant) =>
    outcomes.find(({ fault }) => fault === variant.fault) ?? {
      ...variant,
      outcome: "unmet",
      reason: reasons?.get(variant.fault),
    }
  );
}

/**
 * Works on all items, several at a time. If one fails, the others end at once, and the error is
 * thrown as soon as they have.
 */
async function inJobs<Item>(
  jobs: number,
  items: readonly Item[],
  signal: AbortSignal,
  work: Work<Item>,
): Promise<void> {
  const queue = [...items];
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const runJob = async (job: number) => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await work(item, job, either);
    }
  };
  const failures: unknown[] = [];
  const running = Array.from(
    { length: Math.min(jobs, items.length) },
    (_, at) =>
      runJob(at + 1).catch((cause) => {
        failures.push(cause);
        stop.abort(cause);
      }),
  );
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}
