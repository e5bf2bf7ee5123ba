import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Choice } from "./choices.ts";
import { countEquivalent } from "./equivalent_schedules.ts";
import { explore, type Run } from "./explore.ts";

/** Programs as lists of calls: "r" reads a row, "w" adds the reader's name to it. */
type Programs = ReadonlyArray<readonly string[]>;

/** A run of programs on rows. What they read and leave depends on the order. */
interface ToyRun extends Run {
  outcome(): string;
}

function startToy(programs: Programs, mayDie: boolean): ToyRun {
  const rows: Record<string, string> = {};
  const positions = programs.map(() => 0);
  const seen: string[] = [];
  let dead: number | undefined;
  const callOf = (actor: number): Choice[] => {
    const call = programs[actor]?.[positions[actor] ?? 0];
    if (call === undefined || dead === actor) return [];
    const access = { kind: "row", id: call.slice(2), writes: call.startsWith("w") };
    const death = mayDie && dead === undefined
      ? [{ key: `${actor} dies`, actor, fault: "dies" as const }]
      : [];
    return [{ key: `${actor} ${positions[actor]}`, actor, access }, ...death];
  };
  return {
    choices: () => programs.flatMap((_, actor) => callOf(actor)),
    async take({ actor, access }) {
      if (!access) return void (dead = actor);
      const id = access.id ?? "";
      if (access.writes) rows[id] = `${rows[id] ?? ""}${actor}`;
      else seen.push(`${actor} saw ${rows[id]}`);
      positions[actor] = (positions[actor] ?? 0) + 1;
    },
    outcome: () => JSON.stringify([Object.entries(rows).sort(), seen.sort(), dead]),
  };
}

interface ToyResult {
  schedules: number;
  equivalent: number;
  outcomes: string[];
}

async function exploreToy(
  programs: Programs,
  { mayDie = false, isDependent }: { mayDie?: boolean; isDependent?: () => boolean } = {},
): Promise<ToyResult> {
  const outcomes = new Set<string>();
  let equivalent = 0;
  const { schedules } = await explore({
    limit: 100_000,
    isDependent,
    start: async () => startToy(programs, mayDie),
    async finish(run, branches) {
      outcomes.add(run.outcome());
      equivalent += countEquivalent(branches, isDependent);
    },
  });
  return { schedules, equivalent, outcomes: [...outcomes].sort() };
}

const everyOrder = { isDependent: () => true };

const programs: Record<string, Programs> = {
  "two that share nothing": [["w a", "w b", "r a"], ["w c", "r d", "w e"]],
  "two that write the same row": [["r a", "w a", "r b"], ["r a", "w a", "w b"]],
  "two that meet in the middle": [["w x", "w a", "w y"], ["r p", "r a", "r q"]],
  "three that meet two by two": [["w a", "r b"], ["w b", "r c"], ["w c", "r a"]],
  "three of which two only read": [["r a", "r b"], ["w a", "w b"], ["r b", "r a"]],
};

describe("The explorer of schedules", () => {
  for (const [what, given] of Object.entries(programs)) {
    for (const mayDie of [false, true]) {
      const title = `${what}${mayDie ? ", one of which may die" : ""}`;
      it(`finds every outcome of ${title}, and counts every schedule`, async () => {
        const reduced = await exploreToy(given, { mayDie });
        const complete = await exploreToy(given, { mayDie, ...everyOrder });
        assertEquals(reduced.outcomes, complete.outcomes);
        assertEquals(reduced.equivalent, complete.schedules);
      });
    }
  }

  it("runs one schedule of those that differ only in the order of steps that commute", async () => {
    const [first] = Object.values(programs);
    const { schedules, equivalent } = await exploreToy(first ?? []);
    assertEquals([schedules, equivalent], [1, 20]);
  });
});
