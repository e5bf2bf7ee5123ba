import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createFairQueue } from "../../src/issuer/limits/fair_queue.ts";

/** Adds in order, an item for each letter; returns what was turned away, and in which order the rest comes out. */
function run(senders: string): { turnedAway: string[]; order: string[] } {
  const queue = createFairQueue<string>({ maxPerSender: 3, max: 6 });
  const turnedAway = [...senders].map((sender, at) => queue.add(sender, `${sender}${at}`)).filter((
    item,
  ) => item !== undefined);
  const order: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) order.push(item);
  return { turnedAway, order };
}

describe("A fair queue", () => {
  const cases: Array<[what: string, senders: string, order: string, turnedAway: string]> = [
    ["is empty at first", "", "", ""],
    ["serves one sender in order", "aaa", "a0 a1 a2", ""],
    ["serves senders in turn", "aaabbc", "a0 b3 c5 a1 b4 a2", ""],
    ["turns away the fourth of one sender", "aaaab", "a0 b4 a1 a2", "a3"],
    ["gives a newcomer the last place of the longest line", "aaabbbc", "a0 b3 c6 a1 b4 b5", "a2"],
    [
      "gives it to a line that stays shorter than that one",
      "aaabbccc",
      "a0 b3 c5 a1 b4 c6",
      "a2 c7",
    ],
    ["finds the longest line behind a shorter one", "abbbccd", "a0 b1 c4 d6 b2 c5", "b3"],
    ["turns a newcomer away where every line is as short", "abcdefg", "a0 b1 c2 d3 e4 f5", "g6"],
    [
      "gives a newcomer the last place of the first of several longest lines",
      "aabbccd",
      "a0 b2 c4 d6 b3 c5",
      "a1",
    ],
  ];
  for (const [what, senders, order, turnedAway] of cases) {
    it(`M7: ${what}`, () => {
      assertEquals(run(senders), {
        order: order.split(" ").filter(Boolean),
        turnedAway: turnedAway.split(" ").filter(Boolean),
      });
    });
  }

  it("M7: serves a newcomer next, however many of one sender wait", () => {
    const queue = createFairQueue<string>({ maxPerSender: 10, max: 200 });
    for (let n = 0; n < 10; n++) queue.add("attacker", `attacker ${n}`);
    queue.take();
    queue.add("honest", "honest");
    assertEquals([queue.take(), queue.take()], ["honest", "attacker 1"]);
  });

  it("M7: serves a newcomer before a sender who was just served and has come back", () => {
    const queue = createFairQueue<string>({ maxPerSender: 10, max: 200 });
    queue.add("attacker", "attacker 0");
    queue.take();
    queue.add("attacker", "attacker 1");
    queue.add("honest", "honest");
    assertEquals([queue.take(), queue.take()], ["honest", "attacker 1"]);
  });

  it("M7: lets no series of newcomers keep a sender waiting", () => {
    const queue = createFairQueue<string>({ maxPerSender: 10, max: 200 });
    for (const item of ["first", "second", "third"]) queue.add("home", item);
    const order: Array<string | undefined> = [];
    for (let n = 0; n < 6; n++) {
      order.push(queue.take());
      queue.add(`newcomer ${n}`, `newcomer ${n}`);
    }
    assertEquals(order.filter((item) => !item?.startsWith("newcomer")), [
      "first",
      "second",
      "third",
    ]);
  });

  it("M7: knows no limit per sender where the sender is not known", () => {
    const queue = createFairQueue<number>({ maxPerSender: 1, max: 5 });
    assertEquals([1, 2, 3, 4, 5, 6].map((item) => queue.add(undefined, item)), [
      ...Array(5).fill(undefined),
      6,
    ]);
  });
});
