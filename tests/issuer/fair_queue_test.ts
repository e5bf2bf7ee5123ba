import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createFairQueue } from "../../src/server/issuer/limits/fair_limit.ts";
import { present } from "../support/present.ts";

/** A queue of names whose first letter is their sender. */
function queueOf(...names: string[]) {
  const queue = createFairQueue<string>({ maxPerSender: 3, max: 5 });
  const left = names.map((name) => queue.add(name[0], name));
  const takeAll = (mayBegin: (sender: string | undefined) => boolean = () => true) => {
    const taken: string[] = [];
    for (let next = queue.takeNext(mayBegin); next; next = queue.takeNext(mayBegin)) {
      taken.push(next.item);
    }
    return taken;
  };
  return { left: left.filter((name) => name !== undefined), takeAll };
}

describe("A fair queue", () => {
  it("lets the senders take turns", () => {
    assertEquals(queueOf("a1", "a2", "a3", "b1", "b2").takeAll(), ["a1", "b1", "a2", "b2", "a3"]);
  });

  it("passes over a sender that may not begin, and keeps its place", () => {
    const { takeAll } = queueOf("a1", "a2", "b1");
    assertEquals(takeAll((sender) => sender !== "a"), ["b1"]);
    assertEquals(takeAll(), ["a1", "a2"]);
  });

  it("turns away what exceeds the line of a sender", () => {
    assertEquals(queueOf("a1", "a2", "a3", "a4").left, ["a4"]);
  });

  it("drops the last item of the longest line when it is full", () => {
    const { left, takeAll } = queueOf("a1", "a2", "a3", "b1", "b2", "c1", "b3");
    assertEquals(left, ["a3", "b3"]);
    assertEquals(takeAll(), ["a1", "b1", "c1", "a2", "b2"]);
  });

  for (const turns of [0, 1, 7, 20, 150]) {
    it(`M7: serves a newcomer within 20 turns, where 20 senders keep ten places each since ${turns} turns`, () => {
      const queue = createFairQueue<string>({ maxPerSender: 10, max: 200 });
      const serve = () => present(queue.takeNext(() => true)).item;
      for (let n = 0; n < 200; n++) queue.add(`attacker ${n % 20}`, `attacker ${n % 20}`);
      for (let turn = 0; turn < turns; turn++) {
        const sender = serve();
        queue.add(sender, sender);
      }
      queue.add("honest", "honest");
      const served = Array.from({ length: 21 }, () => {
        const sender = serve();
        if (sender !== "honest") queue.add(sender, sender);
        return sender;
      });
      assert(served.includes("honest"));
    });
  }

  it("makes no room for a line that would be as long as the longest", () => {
    assertEquals(queueOf("a1", "a2", "b1", "b2", "c1", "c2").left, ["c2"]);
  });
});
