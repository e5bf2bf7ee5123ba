import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createTextBuffer } from "../../../src/program/terminal/output_queue.ts";

function openBuffer() {
  return createTextBuffer(10, (lines) => `${lines} dropped`);
}

describe("A buffer of text", () => {
  it("returns its lines once", () => {
    const buffer = openBuffer();
    buffer.add("one");
    assertEquals([buffer.addIfRoom("two"), buffer.isEmpty()], [true, false]);
    assertEquals(buffer.takeAll(), "one\ntwo\n");
    assertEquals(buffer.isEmpty(), true);
  });

  it("says how many lines found no room, after those that did", () => {
    const buffer = openBuffer();
    assertEquals(["first", "second", "third"].map(buffer.addIfRoom), [true, false, false]);
    assertEquals(buffer.takeAll(), "first\n2 dropped\n");
    assertEquals(buffer.addIfRoom("fourth"), true);
    assertEquals(buffer.takeAll(), "fourth\n");
  });

  it("keeps what must not be lost, however long it is", () => {
    const buffer = openBuffer();
    buffer.add("longer than ten characters");
    assertEquals(buffer.takeAll(), "longer than ten characters\n");
  });
});
