import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { emitEvent } from "../../src/server/issuer/create_context.ts";

describe("emitEvent", () => {
  it("reports a listener that fails, and goes on", () => {
    const original = console.error;
    const reported: unknown[][] = [];
    const cause = new Error("disk full");
    const onEvent = () => {
      throw cause;
    };
    console.error = (...values) => void reported.push(values);
    try {
      emitEvent(onEvent, { type: "work.finished", what: "sweep" });
    } finally {
      console.error = original;
    }
    assertEquals(reported, [["An event listener failed:", cause]]);
  });
});
