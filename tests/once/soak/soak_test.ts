import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { soakWithAttacks, soakWithOverload } from "../../../scripts/soak/campaigns.ts";
import { prepareRounds } from "../../../scripts/soak/growth.ts";
import { growthOf } from "../../../scripts/trials/numbers.ts";
import { commandOn } from "../../../scripts/trials/runtimes.ts";
import { startTrialServer } from "../../../scripts/trials/trial_server.ts";
import { inFolder } from "../../support/folder.ts";

const command = await commandOn("deno");

/** What is kept for longer than 100 days. */
const lasting = ["consents", "issuers", "keys", "secrets"];
const doesNotLast = (table: string) => !lasting.includes(table);

describe("A server under mixed load", () => {
  it("responds without a 5xx, loses nothing, and keeps nothing that has expired", async () => {
    await inFolder(async (folder) => {
      const store = `sqlite:${folder}/hallpass.db`;
      const server = await startTrialServer({ command, store, folder });
      try {
        const runRound = await prepareRounds(server, store, { withSession: 2, withEveryFlow: 1 });
        const { rows = {}, losses } = await runRound(1000, { isJudged: true });
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
    const strength = { connections: 300, untilEnded: false };
    const options = { rounds: 1, counts: { flows: 2, signIns: 1 } };
    // How long the user waits depends on the machine: `deno task soak` reports it.
    const { figures } = await inFolder((folder) =>
      soakWithAttacks({ command, folder, store: "memory" }, strength, options)
    );
    assertEquals(figures.length, 5);
    assertMatch(figures.join("\n"), /idle connections \(300 connections, 300 of them still open/);
  });
});

describe("A server that gets more than it can handle", () => {
  it("V1: answers probes with 200, and all others with 200 or 503", async () => {
    // How long they wait depends on the machine: `deno task soak` reports it.
    const options = { duration: 300, connections: [200], isBusy: true };
    const { figures, problems } = await inFolder((folder) =>
      soakWithOverload({ command, folder, store: "memory" }, options)
    );
    assertEquals([figures.length, problems], [6, []]);
    assertMatch(figures.join("\n"), /200 busy connections: [1-9]\d* served/);
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
