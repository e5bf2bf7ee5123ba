import { counted, minute, second } from "../../../server/util/time/duration.ts";
import { printable } from "../../terminal/printable.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { isFinding, type VetOutcome } from "./result/vet_result.ts";
import type { VetProgress } from "./runs/run_vet.ts";

const barWidth = 30;

/** Goes to the line above and clears it. */
const lineAbove = "\x1b[1A\x1b[2K";

/**
 * Creates the display. `jobs` is how many runs go on at the same time. With `isApart`, standard
 * output has only the result.
 */
export function createProgressDisplay(
  terminal: Terminal,
  jobs: number,
  isApart: boolean,
): { show(progress: VetProgress): void } {
  const print = isApart ? terminal.printError : terminal.print;
  let hasStarted = false;
  let isBarShown = false;
  let shownOutcomes = 0;

  /** The number is that of the counter, so it comes once the first run has shown what can be met. */
  function showStart(progress: VetProgress): void {
    if (hasStarted) return;
    hasStarted = true;
    print(formatStart(progress, jobs));
  }

  function showBar(progress: VetProgress): void {
    terminal.printColored(`${isBarShown ? lineAbove : ""}${formatBar(progress, jobs)}`);
    isBarShown = true;
  }

  function showLines({ plain, outcomes }: VetProgress): void {
    for (const outcome of outcomes.slice(shownOutcomes)) {
      shownOutcomes++;
      print(formatLine(outcome, shownOutcomes, plain.met.length));
    }
  }

  const showRest = terminal.isInteractive && !isApart ? showBar : showLines;
  return {
    show(progress) {
      showStart(progress);
      showRest(progress);
    },
  };
}

/** Returns how many runs follow the first one, and how long they will take. */
export function formatStart(progress: VetProgress, jobs: number): string {
  const { plain } = progress;
  const runs = counted(plain.met.length, "run");
  const first = `The tests pass without an attack, in ${formatTime(plain.milliseconds)}.`;
  return `${first} ${runs} under attack: ${formatEstimate(progress, jobs)}.`;
}

/** Returns a line about a run that has ended. */
export function formatLine(
  result: VetOutcome,
  done: number,
  total: number,
): string {
  const { fault, outcome, milliseconds = 0 } = result;
  const isValid = result.expectation === "accept" && outcome === "accepted";
  const kind = isFinding(result) ? ` (${result.class})` : "";
  const mark = isValid ? ", as a valid login should be" : kind;
  return `${done}/${total} ${fault}: ${outcome}${mark} (${seconds(milliseconds)})`;
}

/** Returns a bar with what runs, and how long the rest will take. */
export function formatBar(progress: VetProgress, jobs: number): string {
  const { plain, outcomes, running } = progress;
  const total = plain.met.length;
  const done = outcomes.length;
  const filled = total === 0 ? barWidth : Math.round(barWidth * done / total);
  const bar = `[${"#".repeat(filled)}${"-".repeat(barWidth - filled)}]`;
  const now = running.length === 0 ? "" : `  ${printable(running.join(", "))}`;
  return `${bar} ${done}/${total}  ${formatEstimate(progress, jobs)}${now}`.slice(0, 78);
}

/** Returns how long the runs that are left will take, by those that have ended. */
export function formatEstimate({ plain, outcomes }: VetProgress, jobs: number): string {
  const times = outcomes.flatMap(({ milliseconds }) => milliseconds ?? []);
  const known = times.length > 0 ? times : [plain.milliseconds];
  const mean = known.reduce((sum, each) => sum + each, 0) / known.length;
  const left = Math.max(0, plain.met.length - outcomes.length);
  const estimate = Math.ceil(left / jobs) * mean;
  return estimate === 0 ? "done" : `about ${formatTime(estimate)} left`;
}

/** Returns a time in whole seconds or minutes. */
export function formatTime(milliseconds: number): string {
  const inSeconds = milliseconds / 1000;
  if (inSeconds < 2 * minute) return `${Math.max(1, Math.round(inSeconds / second))} s`;
  return `${Math.round(inSeconds / minute)} min`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
