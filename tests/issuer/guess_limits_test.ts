import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createBudget, takeAll } from "../../src/server/issuer/limits/budget.ts";
import {
  createSharedCounts,
  type Guess,
  limitClientGuesses,
  limitUserGuesses,
  type SharedCounts,
} from "../../src/server/issuer/limits/guess_limits.ts";
import { plainTable } from "../../src/server/issuer/records/table.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { memoryStore } from "../../src/server/store/memory.ts";

const alone: SharedCounts = { usedElsewhere: async () => 0, publish: async () => {} };
const [sender, other] = ["192.0.2.1", "192.0.2.2"];

/** Opens the counts of a process whose writes wait for something, and what another one sees. */
function openCounts(beforeWrite: (count: number) => unknown, now = () => 0): SharedCounts {
  const store = memoryStore();
  const put = store.put.bind(store);
  store.put = async (kind, id, row) => {
    await beforeWrite(Number(row.value));
    return await put(kind, id, row);
  };
  const table = plainTable<number>(store, "count", () => 0);
  const { publish } = createSharedCounts(table, now, () => "one");
  return { ...createSharedCounts(table, now, () => "other"), publish };
}

function passwords(perMinute: number, shared = alone, now = () => 0) {
  const limits = limitUserGuesses({ now, perMinute, shared });
  const guess = (guess: Guess, found?: string) => limits.check(guess, async () => found);
  /** How many of so many wrong guesses are let through. */
  const wrongGuesses = async (count: number, guessOf: (n: number) => Guess) => {
    let checked = 0;
    for (let n = 0; n < count; n++) {
      await limits.check(guessOf(n), async () => void checked++).catch(() => {});
    }
    return checked;
  };
  return { limits, guess, wrongGuesses };
}

describe("A budget", () => {
  it("holds for a minute and a name, and gets back what is put back", () => {
    let now = 0;
    const budget = createBudget(() => now, 2);
    const giveBack = budget.take("a");
    assertEquals(budget.take("a") !== undefined, true);
    assertEquals(budget.take("a"), undefined);
    assertEquals(budget.take("b") !== undefined, true);
    giveBack!();
    assertEquals([budget.used("a"), budget.take("a", 1, 1)], [1, undefined]);
    now = 60_000;
    assertEquals(budget.used("a"), 0);
    assertEquals(budget.take("a", 3), undefined);
    assertEquals(budget.take("a", 2) !== undefined, true);
  });

  it("puts back nothing into the minute after", () => {
    let now = 0;
    const budget = createBudget(() => now, 2);
    const giveBack = budget.take("a", 2);
    now = 60_000;
    budget.take("a");
    giveBack!();
    assertEquals(budget.used("a"), 1);
  });

  it("is taken from together with others, or not at all", () => {
    const [one, two] = [createBudget(() => 0, 2), createBudget(() => 0, 1)];
    const take = () => takeAll([() => one.take("a"), () => two.take("a")]);
    assertEquals([take() !== undefined, take(), one.used("a")], [true, undefined, 1]);
  });

  it("forgets no name that is asked for again and again for the sake of ten thousand others", () => {
    const budget = createBudget(() => 0, 1);
    budget.take("a");
    for (let n = 0; n < 20_000; n++) {
      budget.take(`${n}`);
      if (n % 5000 === 0) assertEquals(budget.take("a"), undefined);
    }
  });
});

describe("Guesses at passwords (OAuth 2.1, section 2.4.1)", () => {
  const cases: Array<[what: string, guessOf: (n: number) => Guess, allowed: number]> = [
    ["one sender at one name", () => ({ name: "alice", sender }), 3],
    ["one sender at all names", (n) => ({ name: `user ${n}`, sender }), 30],
    ["all senders at one name", (n) => ({ name: "alice", sender: `192.0.2.${n}` }), 60],
    ["one name, where no address is known", () => ({ name: "alice" }), 60],
    ["all names, where no address is known", (n) => ({ name: `user ${n}` }), 500],
  ];
  for (const [what, guessOf, allowed] of cases) {
    it(`M4: are let through ${allowed} times for ${what}`, async () => {
      assertEquals(await passwords(3).wrongGuesses(500, guessOf), allowed);
    });
  }

  it("T08: are let through no more often when they come all at once", async () => {
    const { limits } = passwords(3);
    const guesses = Array.from(
      { length: 50 },
      () => limits.check({ name: "alice", sender }, async () => undefined),
    );
    assertEquals(
      (await Promise.allSettled(guesses)).filter(({ status }) => status === "fulfilled").length,
      3,
    );
  });

  it("M4: do not count when they are right", async () => {
    const { guess } = passwords(1);
    for (let time = 0; time < 5; time++) {
      assertEquals(await guess({ name: "alice", sender }, "alice"), "alice");
    }
  });

  it("M4: do not count when their check fails for another reason", async () => {
    const { limits, guess } = passwords(1);
    for (let time = 0; time < 5; time++) {
      await assertRejects(
        () => limits.check({ name: "alice", sender }, () => Promise.reject(new Error("no store"))),
        Error,
        "no store",
      );
    }
    assertEquals(await guess({ name: "alice", sender }, "alice"), "alice");
  });

  it("M4: of ten thousand names cannot flush what one sender has guessed", async () => {
    const { guess, wrongGuesses } = passwords(1);
    await guess({ name: "alice", sender });
    await wrongGuesses(12_000, (n) => ({ name: `user ${n}`, sender: other }));
    await assertRejects(
      () => guess({ name: "alice", sender }, "alice"),
      OAuthError,
      "Too many wrong attempts",
    );
  });

  it("M4: from elsewhere leave a familiar browser a budget of its own, which is not without end", async () => {
    const { guess, wrongGuesses } = passwords(1);
    await wrongGuesses(100, (n) => ({ name: "alice", sender: `192.0.2.${n}` }));
    const known: Guess = { name: "alice", sender, ownBudget: async () => "browser" };
    await assertRejects(() => guess({ name: "alice", sender }, "alice"), OAuthError);
    assertEquals([await guess(known, "alice"), await guess(known)], ["alice", undefined]);
    await assertRejects(() => guess(known, "alice"), OAuthError);
  });

  it("M4: never make a browser known where no budget is used up", async () => {
    let asked = 0;
    await passwords(3).guess({ name: "alice", sender, ownBudget: async () => void asked++ });
    assertEquals(asked, 0);
  });

  it("M4: publish the latest count, in whichever order the store makes writes", async () => {
    const { publish, usedElsewhere } = openCounts((count) => count === 1 && setImmediate());
    await Promise.all([1, 2].map((count) => publish("alice", () => count)));
    assertEquals(await usedElsewhere("alice"), 2);
  });

  it("M4: publish their count although the write before them failed", async () => {
    const { publish, usedElsewhere } = openCounts(async (count) => {
      await setImmediate();
      if (count === 1) throw new Error("The store is away.");
    });
    const published = await Promise.allSettled(
      [1, 2].map((count) => publish("alice", () => count)),
    );
    assertEquals(published.map(({ status }) => status), ["rejected", "fulfilled"]);
    assertEquals(await usedElsewhere("alice"), 2);
  });

  it("M4: wait for two writes of their count at most, however many there are at once", async () => {
    const held: Array<() => void> = [];
    const { publish, usedElsewhere } = openCounts(() =>
      new Promise<void>((resolve) => held.push(resolve))
    );
    let count = 0;
    const guesses = Array.from({ length: 300 }, () => publish("alice", () => ++count));
    const writes = async (): Promise<number> => {
      await setImmediate();
      const release = held.shift();
      release?.();
      return release ? 1 + await writes() : 0;
    };
    assertEquals([await writes(), await usedElsewhere("alice")], [2, 2]);
    await Promise.all(guesses);
  });

  it("M4: leave the count of their minute as it is once that is over", async () => {
    let now = 0;
    const written: number[] = [];
    const { publish } = openCounts(async (count) => {
      written.push(count);
      await setImmediate();
      now = 60_000;
    }, () => now);
    await Promise.all([5, 6].map((count) => publish("alice", () => count)));
    assertEquals(written, [5]);
  });

  it("M4: count with those that other processes have seen", async () => {
    const published: Array<[string, number]> = [];
    const shared: SharedCounts = {
      usedElsewhere: async () => 18,
      publish: async (name, count) => void published.push([name, count()]),
    };
    assertEquals(await passwords(1, shared).wrongGuesses(10, () => ({ name: "alice" })), 2);
    assertEquals(published, [["alice", 1], ["alice", 2]]);
  });
});

describe("Guesses at a client's secret", () => {
  const wrongGuesses = async (guessOf: (n: number) => Guess) => {
    const limits = limitClientGuesses({ now: () => 0, perMinute: 3 });
    for (let n = 0; n < 500; n++) {
      await limits.check(guessOf(n), async () => undefined).catch(() => {});
    }
    return limits;
  };

  it("M4: of one sender leave the right secret alone that comes from elsewhere", async () => {
    const limits = await wrongGuesses(() => ({ name: "web", sender }));
    assertEquals(await limits.check({ name: "web", sender: other }, async () => true), true);
    await assertRejects(
      () => limits.check({ name: "web", sender }, async () => true),
      OAuthError,
      "Too many wrong attempts",
    );
  });

  it("M4: of 500 senders, and at 500 clients, leave the right secret alone", async () => {
    const limits = await wrongGuesses((n) => ({ name: "web", sender: `192.0.2.${n}` }));
    assertEquals(
      await limits.check({ name: "web", sender: "198.51.100.1" }, async () => true),
      true,
    );
    const spread = await wrongGuesses((n) => ({ name: `client ${n}`, sender }));
    assertEquals(await spread.check({ name: "web", sender }, async () => true), true);
  });
});
