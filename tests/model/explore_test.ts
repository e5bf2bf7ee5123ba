import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Choice } from "./choices.ts";
import { countEquivalent } from "./equivalent_schedules.ts";
import { explore, type Run } from "./explore.ts";

/**
 * Programs as lists of calls: "r" reads a row, "w" adds the writer's name to it. Calls in one text
 * are made at once, and the program waits for all of them.
 */
type Programs = ReadonlyArray<readonly string[]>;

/** A run of programs on rows. What they read and leave depends on the order. */
interface ToyRun extends Run {
  outcome(): string;
}

function startToy(programs: Programs, mayDie: boolean): ToyRun {
  const rows: Record<string, string> = {};
  const seen: string[] = [];
  const left = programs.map((calls) => calls.map((atOnce) => atOnce.split(" and ")));
  let dead: number | undefined;

  function choicesOf(actor: number): Choice[] {
    const calls = left[actor]?.[0];
    if (!calls || dead === actor) return [];
    const step = left[actor]?.length;
    const choices = calls.map((call) => ({
      key: `${actor} ${step} ${call}`,
      actor,
      access: { kind: "row", id: call.slice(2), writes: call.startsWith("w") },
    }));
    const death: Choice = { key: `${actor} dies`, actor, fault: "dies" };
    return [...choices, ...mayDie && dead === undefined ? [death] : []];
  }

  return {
    choices: () => programs.flatMap((_, actor) => choicesOf(actor)),
    async take({ key, actor, access }) {
      if (!access) return void (dead = actor);
      const id = access.id ?? "";
      if (access.writes) rows[id] = `${rows[id] ?? ""}${actor}`;
      else seen.push(`${actor} saw ${rows[id]}`);
      const calls = left[actor]?.[0] ?? [];
      calls.splice(calls.findIndex((call) => key.endsWith(call)), 1);
      if (calls.length === 0) left[actor]?.shift();
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
  "two that make several calls at once": [
    ["w a and w b", "r c"],
    ["r b and r a and w c", "w d and w a"],
  ],
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
