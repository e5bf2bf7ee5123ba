import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { whenUnlocked } from "../../../src/program/administration/store_command.ts";
import { LockedError, withLock } from "../../../src/server/issuer/records/lock.ts";
import { openKit } from "../../support/kit.ts";

/** A command whose clock stands still but for its pauses, and what it prints. */
function openCommand() {
  const { clock, server: { context } } = openKit();
  const printed: string[] = [];
  const start = context.now();
  const run = (change: () => Promise<string>) =>
    whenUnlocked(change, { printError: (text) => void printed.push(text) }, {
      now: context.now,
      sleep: async (milliseconds) => clock.advance(milliseconds / 1000),
    });
  return { context, run, printed, waited: () => (context.now() - start) / 1000 };
}

const waits =
  "Another command is changing the same entry, or ended in the middle: waiting for up " +
  "to 30 seconds.";

describe("A command that changes what another one has locked", () => {
  it("waits, and says so, as long as one that ended in the middle holds the lock", async () => {
    const { context, run, printed, waited } = openCommand();
    void withLock(context, "names", () => new Promise(() => {}));
    assertEquals(await run(() => withLock(context, "names", async () => "done")), "done");
    assert(waited() >= 15 && waited() <= 30, `${waited()}`);
    assertEquals(printed, [waits]);
  });

  it("says nothing of a short wait", async () => {
    const { run, printed } = openCommand();
    let tries = 0;
    const change = () => tries++ < 5 ? Promise.reject(new LockedError()) : Promise.resolve("done");
    assertEquals([await run(change), printed], ["done", []]);
  });

  it("gives up once only a command that still runs can hold the lock", async () => {
    const { run, printed, waited } = openCommand();
    const { message } = await assertRejects(() => run(() => Promise.reject(new LockedError())));
    assertEquals(message, "Another command is still changing the same entry. Try again later.");
    assert(waited() > 30 && waited() < 32, `${waited()}`);
    assertEquals(printed, [waits]);
  });
});
