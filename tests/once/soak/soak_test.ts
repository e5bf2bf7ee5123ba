import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { runRound } from "../../../scripts/trials/growth.ts";
import { growthOf } from "../../../scripts/trials/numbers.ts";
import {
  type AttackOptions,
  measureAttacks,
  measureOverload,
} from "../../../scripts/trials/overload.ts";
import { commandOn } from "../../../scripts/trials/process.ts";
import { startTrialServer } from "../../../scripts/trials/server.ts";
import { soak } from "../../../scripts/trials/soak.ts";
import { inFolder } from "../../support/folder.ts";

const command = await commandOn("deno");

/** 300 connections are idle, and 200 are busy. */
const options: AttackOptions = {
  duration: 300,
  connections: [300, 200],
  untilEnded: false,
  isBusy: true,
};

/** What is kept for longer than 100 days. */
const lasting = ["consents", "issuers", "keys", "secrets"];
const doesNotLast = (table: string) => !lasting.includes(table);

describe("A server under mixed load", () => {
  it("responds without a 5xx, loses nothing, and keeps nothing that has expired", async () => {
    await inFolder(async (folder) => {
      const store = `sqlite:${folder}/hallpass.db`;
      const server = await startTrialServer({ command, store, folder });
      try {
        const options = { withSession: 2, withEveryFlow: 1, duration: 1000, isJudged: true };
        const { rows = {}, losses } = await runRound(server, store, options);
        assertEquals([...server.statuses.keys()].filter((status) => status >= 500), []);
        assertEquals(losses, []);
        // The rows about what an earlier version wrote last: of users, their clients, logouts and pings.
        const { completions = 0, ...others } = rows;
        assertEquals([completions <= 4, Object.keys(others).filter(doesNotLast)], [true, []]);
      } finally {
        assertEquals(await server.stop(), 0);
      }
    });
  });
});

describe("A server that is attacked", () => {
  it("serves an honest user", async () => {
    // How long the user waits depends on the machine: `deno task soak` reports it.
    const { figures } = await inFolder((folder) =>
      soak({ command, folder, store: "memory" }, (server) => measureAttacks(server, options))
    );
    assertEquals(figures.length, 5);
    assertMatch(figures.join("\n"), /idle connections \(opened × 300, still open × 300\)/);
  });
});

describe("A server that gets more than it can handle", () => {
  it("V1: answers probes with 200, and all others with 200 or 503", async () => {
    // How long they wait depends on the machine: `deno task soak` reports it.
    const { figures, problems } = await inFolder((folder) =>
      soak({ command, folder, store: "memory" }, (server) => measureOverload(server, options))
    );
    assertEquals([figures.length, problems], [6, []]);
    assertMatch(figures.join("\n"), /200 busy connections: 200 × [1-9]/);
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
