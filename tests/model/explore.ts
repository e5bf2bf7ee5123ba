import { type Choice, isDependent } from "./choices.ts";

/** A run of some operations, which a schedule moves step by step. */
export interface Run {
  /** The steps that are possible now; none when the run is over. */
  choices(): readonly Choice[];
  take(choice: Choice): Promise<void>;
}

/** What an exploration has done. */
export interface Exploration {
  /** Schedules that were run to their end. */
  schedules: number;
  /** Whether every schedule is equivalent to one that was run. */
  complete: boolean;
}

/** How a schedule space is explored. */
export interface ExploreOptions<R extends Run> {
  start(): Promise<R>;
  /** Judges a run at its end. */
  finish(run: R, taken: readonly Choice[]): Promise<void>;
  /** The maximum number of schedules. */
  limit: number;
  /** Whether the order of two steps can matter. Default: whether they touch the same row. */
  isDependent?: (one: Choice, other: Choice) => boolean;
}

/** A point of a schedule at which there were several possible steps. */
interface Branch {
  choices: readonly Choice[];
  chosen: Choice;
  /** Steps whose schedules were run, or will not be: they commute with all that follow. */
  asleep: readonly Choice[];
}

/**
 * Runs every schedule, but only one of those that differ in nothing but the order of steps that
 * commute (sleep sets: P. Godefroid, Partial-Order Methods for the Verification of Concurrent
 * Systems, chapter 5).
 */
export async function explore<R extends Run>(options: ExploreOptions<R>): Promise<Exploration> {
  const branches: Branch[] = [];
  let schedules = 0;
  while (schedules < options.limit) {
    if (await runOnce(branches, options)) schedules++;
    if (!nextSchedule(branches)) return { schedules, complete: true };
  }
  return { schedules, complete: false };
}

/** Runs one schedule, as the branches say and beyond. Returns false if it equals an earlier one. */
async function runOnce<R extends Run>(
  branches: Branch[],
  { start, finish, isDependent: depends = isDependent }: ExploreOptions<R>,
): Promise<boolean> {
  const run = await start();
  for (let depth = 0;; depth++) {
    const choices = run.choices();
    if (choices.length === 0) break;
    const branch = branches[depth] ?? newBranch(choices, branches[depth - 1], depends);
    if (!branch) return false;
    branches[depth] = branch;
    await run.take(matching(choices, branch.chosen));
  }
  await finish(run, branches.map(({ chosen }) => chosen));
  return true;
}

/** Returns a branch with its first step, or undefined if all of them are asleep. */
function newBranch(
  choices: readonly Choice[],
  parent: Branch | undefined,
  depends: typeof isDependent,
): Branch | undefined {
  const asleep = parent?.asleep.filter((choice) => !depends(choice, parent.chosen)) ?? [];
  const chosen = choices.find((choice) => !includes(asleep, choice));
  return chosen && { choices, chosen, asleep };
}

/** Moves to the next schedule, depth first. Returns false if there is none. */
function nextSchedule(branches: Branch[]): boolean {
  for (let branch = branches.pop(); branch; branch = branches.pop()) {
    const asleep = [...branch.asleep, branch.chosen];
    const chosen = branch.choices.find((choice) => !includes(asleep, choice));
    if (!chosen) continue;
    branches.push({ ...branch, asleep, chosen });
    return true;
  }
  return false;
}

/** A run must offer the same steps again, or its schedules mean nothing. */
function matching(choices: readonly Choice[], wanted: Choice): Choice {
  const found = choices.find(({ key }) => key === wanted.key);
  if (found) return found;
  const offered = choices.map(({ key }) => key).join(", ");
  throw new Error(`A schedule cannot be repeated: '${wanted.key}' is not one of ${offered}.`);
}

function includes(choices: readonly Choice[], { key }: Choice): boolean {
  return choices.some((choice) => choice.key === key);
}
