import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { ServerEvent } from "../../src/server/config/events.ts";
import { createBackground } from "../../src/server/issuer/maintenance.ts";

describe("Work in the background", () => {
  it("is an event when it is finished, and when it failed", async () => {
    const events: ServerEvent[] = [];
    const background = createBackground((event) => void events.push(event));
    const cause = new Error("away");
    background.begin("one", async () => {});
    background.begin("two", () => Promise.reject(cause));
    await background.idle();
    assertEquals(events, [
      { type: "work.finished", what: "one" },
      { type: "work.failed", what: "two", cause },
    ]);
  });

  it("is idle once the work that it started has ended as well", async () => {
    const done: string[] = [];
    const background = createBackground(() => {});
    background.begin("one", async () => {
      background.begin("two", async () => void done.push("two"));
      done.push("one");
    });
    await background.idle();
    assertEquals(done.sort(), ["one", "two"]);
  });
});
