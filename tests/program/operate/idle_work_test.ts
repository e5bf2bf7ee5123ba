import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { workWhenIdle } from "../../../src/program/operate/idle_work.ts";
import { openKit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";

describe("workWhenIdle", () => {
  it("starts the work that is due, although no request comes, until it is ended", async () => {
    const kit = openKit();
    const { context } = kit.server;
    const acts: Array<() => void> = [];
    const end = workWhenIdle(() => context, (act, pause) => {
      assertEquals(pause, 10_000);
      acts.push(act);
      return () => acts.splice(0);
    });
    kit.clock.advance(30);
    present(acts[0])();
    await context.background.idle();
    const work = kit.events.flatMap((event) => event.type === "work.finished" ? [event.what] : []);
    assertEquals(["sweep", "keys"].every((name) => work.includes(name)), true);
    end();
    assertEquals(acts, []);
  });
});
