import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { ServerEvent } from "../../src/server/config/events.ts";
import { emitEvent } from "../../src/server/issuer/emit_event.ts";

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
      emitEvent({ onEvent }, { type: "work.finished", what: "sweep" });
    } finally {
      console.error = original;
    }
    assertEquals(reported, [["An event listener failed:", cause]]);
  });

  it("emits a failed outbound request under its former name as well", () => {
    const types: string[] = [];
    const onEvent = ({ type }: ServerEvent) => void types.push(type);
    const facts = { what: "keys", url: "https://keys.example", reason: "refused" };
    emitEvent({ onEvent }, { type: "outbound.failed", ...facts });
    assertEquals(types, ["outbound.failed", "outside.failed"]);
  });
});
