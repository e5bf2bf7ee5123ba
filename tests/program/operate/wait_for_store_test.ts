import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { storeTimeout, waitForStore } from "../../../src/program/operate/open_store.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { StoreUnavailableError } from "../../../src/server/store/store_errors.ts";

/** Waits for a store whose clock stands still but for the pauses. */
async function wait(open: () => Promise<Store>) {
  const reports: string[] = [];
  let time = 0;
  const sleep = (milliseconds: number) => Promise.resolve(void (time += milliseconds));
  const report = (message: string) => void reports.push(message);
  const opened = await waitForStore(open, report, { now: () => time, sleep }).then(
    () => true,
    (cause) => cause,
  );
  return { opened, reports, seconds: time / 1000 };
}

/** Returns an opener that fails for each of the reasons, and then succeeds. */
function opensAfter(...reasons: string[]): () => Promise<Store> {
  return () => {
    const reason = reasons.shift();
    if (reason === undefined) return Promise.resolve(memoryStore());
    return Promise.reject(new StoreUnavailableError(reason));
  };
}

describe("A server that waits for its store", () => {
  it("R9: tries again every second, and reports each reason once", async () => {
    const { opened, reports, seconds } = await wait(
      opensAfter("The connection was refused.", "The connection was refused.", "It is starting"),
    );
    assertEquals([opened, seconds], [true, 3]);
    assertEquals(reports, [
      "The connection was refused. Trying again for up to 60 seconds.",
      "It is starting. Trying again for up to 60 seconds.",
    ]);
  });

  it("R9: gives up after a minute, with the last reason", async () => {
    const away = () => Promise.reject(new StoreUnavailableError("It is away."));
    const { opened, seconds } = await wait(away);
    assertEquals([opened.message, seconds], ["It is away.", storeTimeout]);
  });

  it("R9: does not try again what will not change by itself", async () => {
    const open = () => Promise.reject(new Error("The password is wrong."));
    await assertRejects(() => waitForStore(open, () => {}), Error, "password");
  });
});
