import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { runRound } from "../../../scripts/trials/growth.ts";
import { growthOf } from "../../../scripts/trials/numbers.ts";
import { commandOn } from "../../../scripts/trials/process.ts";
import { withServer } from "../../../scripts/trials/server.ts";
import { soakTrials } from "../../../scripts/trials/soak.ts";
import { inFolder } from "../../support/folder.ts";
import { present } from "../../support/present.ts";

const command = await commandOn("deno");

/** 300 connections are idle, and 200 are busy. How long anyone waits depends on the machine. */
const trials = soakTrials("deno", command, {
  minutes: 0,
  stores: [],
  duration: 300,
  connections: [300, 200],
  untilEnded: false,
  isBusy: true,
});

async function report(name: string) {
  const { run } = present(trials.find(({ title }) => title === `deno: ${name}`));
  return await inFolder(run);
}

/** What is kept for longer than 100 days. */
const lasting = ["clock-note", "consent", "issuer", "key", "secret"];
const doesNotLast = (kind: string) => !lasting.includes(kind);

describe("A server under mixed load", () => {
  it("responds without a 5xx, loses nothing, and keeps nothing that has expired", async () => {
    await inFolder(async (folder) => {
      const store = `sqlite:${folder}/hallpass.db`;
      await withServer({ command, store, folder }, async (server) => {
        const options = { withSession: 2, duration: 1000, isJudged: true };
        const { rows = {}, losses } = await runRound(server, store, options);
        assertEquals([...server.statuses.keys()].filter((status) => status >= 500), []);
        assertEquals(losses, []);
        // The rows about what an earlier version wrote last: of users, removed ones, and links.
        const { completion = 0, ...others } = rows;
        assertEquals([completion <= 3, Object.keys(others).filter(doesNotLast)], [true, []]);
      });
    });
  });
});

describe("A server that is attacked", () => {
  it("serves an honest user", async () => {
    const { figures, problems } = await report("attacks");
    assertEquals([figures.length, problems], [5, []]);
    assertMatch(figures.join("\n"), /idle connections \(opened × 300, still open × 300\)/);
  });
});

describe("A server that gets more than it can handle", () => {
  it("V1: answers probes with 200, and all others with 200 or 503", async () => {
    const { figures, problems } = await report("overload");
    assertEquals([figures.length, problems], [6, []]);
    assertMatch(figures.join("\n"), /200 busy connections \(200 × [1-9]/);
  });
});

describe("Growth", () => {
  const cases: Array<[what: string, values: number[], growth: number]> = [
    ["is 1 if nothing grows", [5, 5, 5], 1],
    ["leaves out the first third", [1, 2, 10, 10, 10, 10], 1],
    ["compares the last third with the middle one", [1, 1, 10, 10, 20, 20], 2],
    ["looks past a single peak", [1, 1, 1, 10, 10, 10, 10, 99, 10], 1],
  ];
  for (const [what, values, growth] of cases) {
    it(what, () => assertEquals(growthOf(values), growth));
  }

  it("needs three values", () => void assertThrows(() => growthOf([1, 2]), Error, "three"));
});
