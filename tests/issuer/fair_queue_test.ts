import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createFairQueue } from "../../src/server/issuer/limits/fair_queue.ts";

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

  it("makes no room for a line that would be as long as the longest", () => {
    assertEquals(queueOf("a1", "a2", "b1", "b2", "c1", "c2").left, ["c2"]);
  });
});
