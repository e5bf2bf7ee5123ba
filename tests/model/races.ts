import type { Choice } from "./choices.ts";

/** A point of a schedule, as far as races matter. */
interface Point {
  choices: readonly Choice[];
  chosen: Choice;
}

/** Two steps whose order can be reversed, and matters. */
export interface Race {
  /** The position of the earlier step. */
  at: number;
  /**
   * The keys of the steps that could be taken there to reverse the order; one of them is enough.
   */
  first: readonly string[];
}

type Depends = (one: Choice, other: Choice) => boolean;

/** Finds the races of a schedule whose later step is at or after a position. */
export function findRaces(points: readonly Point[], from: number, depends: Depends): Race[] {
  const all = [points, ...withLateDeaths(points, from)];
  return all.flatMap((each) => racesOf(each, from, depends));
}

function racesOf(points: readonly Point[], from: number, depends: Depends): Race[] {
  const { before, races } = order(points, depends);
  return races.filter(({ later }) => later >= from).map(({ earlier, later }) => ({
    at: earlier,
    first: firstSteps(points, before, earlier, later),
  }));
}

/**
 * An operation can die until its last step, and no later. Returns the schedules as if it had died
 * right afterwards: a death that is not possible any more still races with what it follows.
 */
function withLateDeaths(points: readonly Point[], from: number): Point[][] {
  return points.flatMap(({ choices, chosen }, at) => {
    const death = choices.find(({ actor, fault }) => fault === "dies" && actor === chosen.actor);
    const goesOn = points.slice(at + 1).some((later) => later.chosen.actor === chosen.actor);
    if (!death || death.key === chosen.key || goesOn || at < from) return [];
    return [[...points.slice(0, at + 1), { choices: [death], chosen: death }]];
  });
}

/** The partial order of a schedule: as a bit set, the steps that must come before each step. */
export function orderOf(points: readonly Point[], depends: Depends): readonly bigint[] {
  return order(points, depends).before;
}

interface Order {
  before: readonly bigint[];
  races: ReadonlyArray<{ earlier: number; later: number }>;
}

/**
 * A step comes after those that it depends on, and after everything that its operation had done
 * when it became possible. Two dependent steps race if no other step orders them.
 */
function order(points: readonly Point[], depends: Depends): Order {
  const before: bigint[] = [];
  const races: Array<{ earlier: number; later: number }> = [];
  points.forEach(({ chosen }, later) => {
    const possibleSince = firstPossible(points, later);
    let all = 0n;
    for (let earlier = later - 1; earlier >= 0; earlier--) {
      const step = points[earlier]?.chosen;
      if (!step || has(all, earlier)) continue;
      const isCause = step.actor === chosen.actor && earlier < possibleSince;
      if (!isCause && !depends(step, chosen)) continue;
      if (!isCause) races.push({ earlier, later });
      all |= (before[earlier] ?? 0n) | bit(earlier);
    }
    before.push(all);
  });
  return { before, races };
}

/** Returns since when a step was possible. */
function firstPossible(points: readonly Point[], position: number): number {
  const key = points[position]?.chosen.key;
  let first = position;
  while (first > 0 && points[first - 1]?.choices.some((choice) => choice.key === key)) first--;
  return first;
}

/** Returns the steps that can come first when the later step is taken without the earlier one. */
function firstSteps(
  points: readonly Point[],
  before: readonly bigint[],
  earlier: number,
  later: number,
): string[] {
  const others: number[] = [];
  for (let position = earlier + 1; position < later; position++) {
    if (!has(before[position] ?? 0n, earlier)) others.push(position);
  }
  others.push(later);
  const isFirst = (position: number) => !others.some((other) => has(before[position] ?? 0n, other));
  return others.filter(isFirst).flatMap((position) => points[position]?.chosen.key ?? []);
}

function bit(position: number): bigint {
  return 1n << BigInt(position);
}

function has(set: bigint, position: number): boolean {
  return (set & bit(position)) !== 0n;
}
