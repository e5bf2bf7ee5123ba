import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openKit } from "../support/kit.ts";

describe("What is done now and then", () => {
  it("is reported only if something was deleted", async () => {
    const kit = openKit();
    kit.clock.advance(24 * 60 * 60);
    await kit.get("/health");
    await kit.server.context.background.idle();
    assertEquals(kit.events.filter(({ type }) => type === "rows.swept"), []);
  });

  it("goes on after the clock was put back", async () => {
    const kit = openKit();
    const { records, background } = kit.server.context;
    const sweep = async () => {
      await records.locks.add("a lock", null, kit.clock.now + 1);
      kit.clock.advance(60);
      await kit.get("/health");
      await background.idle();
      return kit.events.filter(({ type }) => type === "rows.swept").length;
    };
    kit.clock.advance(24 * 60 * 60);
    assertEquals(await sweep(), 1);
    kit.clock.advance(-24 * 60 * 60);
    assertEquals(await sweep(), 2);
  });
});
