import type { Duration } from "../../../server/util/time/duration.ts";
import type { FaultName } from "../../faults/catalogue.ts";
import type { VetReport } from "../../vet/formats/vet_json.ts";
import type { VetBaseline } from "../../vet/vet_baseline.ts";
import type { VetCriteria } from "../../vet/vet_verdict.ts";

/** What the tests of a file have to reach, and which attacks they meet. */
export interface VetTestOptions extends VetCriteria {
  /** The faults to try; without it, all. */
  only?: readonly FaultName[] | undefined;
  /**
   * How long the test may take.
   *
   * @default "10m"
   */
  timeout?: Duration | undefined;
  /**
   * How long one repetition of the tests may take.
   *
   * @default five times the first one, and at least ten seconds
   */
  runTimeout?: Duration | undefined;
  /** Called with the result, passed or not: to write a report, or a baseline. */
  onResult?: ((result: VetTestResult) => unknown) | undefined;
}

/** The result of the tests of a file. */
export interface VetTestResult {
  /** The result as data. */
  report: VetReport;
  /** The result as text, as an error shows it. */
  text: string;
  /** The baseline that would accept all of today's findings. */
  baseline: VetBaseline;
}
