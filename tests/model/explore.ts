import { type Choice, isDependent } from "./choices.ts";
import { findRaces } from "./races.ts";

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
  finish(run: R, branches: readonly Branch[]): Promise<void>;
  /** The maximum number of schedules. */
  limit: number;
  /** Whether the order of two steps can matter. Default: whether they touch the same row. */
  isDependent?: ((one: Choice, other: Choice) => boolean) | undefined;
}

/** A point of a schedule. */
export interface Branch {
  /** The steps that are possible here. */
  choices: readonly Choice[];
  chosen: Choice;
  /** The keys of the steps that have to be tried here, because their order matters later. */
  wanted: Set<string>;
  /** Steps that lead to nothing new here: they were tried, or commute with what was. */
  asleep: readonly Choice[];
}

/**
 * Runs every schedule, but only one of those that differ in nothing but the order of steps that
 * commute (source sets and sleep sets: Abdulla, Aronis, Jonsson, Sagonas, Optimal Dynamic Partial
 * Order Reduction, POPL 2014).
 */
export async function explore<R extends Run>(options: ExploreOptions<R>): Promise<Exploration> {
  const branches: Branch[] = [];
  let schedules = 0;
  while (schedules < options.limit) {
    const repeated = Math.max(0, branches.length - 1);
    if (await runOnce(branches, options)) schedules++;
    wantReversals(branches, repeated, options.isDependent);
    if (!nextSchedule(branches)) return { schedules, complete: true };
  }
  return { schedules, complete: false };
}

/** Runs one schedule, as the branches say and beyond. Returns false if it equals an earlier one. */
async function runOnce<R extends Run>(
  branches: Branch[],
  { start, finish, isDependent }: ExploreOptions<R>,
): Promise<boolean> {
  const run = await start();
  for (let depth = 0;; depth++) {
    const choices = run.choices();
    if (choices.length === 0) break;
    const branch = branches[depth] ?? newBranch(choices, branches[depth - 1], isDependent);
    if (!branch) return false;
    branches[depth] = branch;
    await run.take(matching(choices, branch.chosen));
  }
  await finish(run, branches);
  return true;
}

/** Returns a branch with its first step, or undefined if all of them are asleep. */
function newBranch(
  choices: readonly Choice[],
  parent: Branch | undefined,
  depends = isDependent,
): Branch | undefined {
  const asleep = parent?.asleep.filter((choice) => !depends(choice, parent.chosen)) ?? [];
  const awake = choices.filter((choice) => !includes(asleep, choice));
  // A fault ends what else could race, so it comes last.
  const chosen = awake.find(({ fault }) => !fault) ?? awake[0];
  if (!chosen) return undefined;
  return wantFaults({ choices, chosen, asleep, wanted: new Set([chosen.key]) });
}

/** Wants everything that can go wrong with an operation in place of its call. */
function wantFaults(branch: Branch): Branch {
  const { choices, chosen, wanted } = branch;
  const faults = choices.filter(({ actor, fault }) => fault && actor === chosen.actor);
  for (const { key } of faults) wanted.add(key);
  return branch;
}

/** Wants the other order of two steps, where that can matter. */
function wantReversals(branches: readonly Branch[], from: number, depends = isDependent): void {
  for (const { at, first } of findRaces(branches, from, depends)) {
    const wanted = branches[at]?.wanted;
    const [key] = first;
    if (wanted && key && !first.some((each) => wanted.has(each))) wanted.add(key);
  }
}

/** Moves to the next schedule, depth first. Returns false if there is none. */
function nextSchedule(branches: Branch[]): boolean {
  for (let branch = branches.pop(); branch; branch = branches.pop()) {
    const { choices, wanted } = branch;
    const asleep = [...branch.asleep, branch.chosen];
    const chosen = choices.find((choice) => wanted.has(choice.key) && !includes(asleep, choice));
    if (!chosen) continue;
    branches.push(wantFaults({ ...branch, asleep, chosen }));
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
