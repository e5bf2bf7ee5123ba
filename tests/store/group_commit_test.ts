import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { createGroupCommit, inTransaction } from "../../src/server/store/sqlite/group_commit.ts";

/**
 * Creates a database that another process locks until `end`, and a clock that only pauses advance.
 */
function lockedUntil(end: number) {
  const state = { now: 0, attempts: 0 };
  const exec = (sql: string) => {
    if (sql === "BEGIN IMMEDIATE") state.attempts++;
    if (sql === "BEGIN IMMEDIATE" && state.now < end) throw new Error("database is locked");
  };
  const timing = {
    now: () => state.now,
    pause: async (milliseconds: number) => void (state.now += milliseconds),
  };
  const commit = (writes: ReadonlyArray<() => number>) =>
    inTransaction({ exec }, () => writes.map((write) => write()));
  return { state, group: createGroupCommit(commit, timing) };
}

async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await new Promise((done) => setImmediate(done));
}

function failing(): never {
  throw new Error("no such table");
}

describe("Commits next to another process", () => {
  it("F1: makes one attempt per pause, however many writes wait", async () => {
    const { state, group } = lockedUntil(1000);
    const writes = Array.from({ length: 50 }, (_, n) => group.write(() => n));
    assertEquals(await Promise.all(writes), Array.from({ length: 50 }, (_, n) => n));
    assertEquals(state.attempts, 1000 / 5 + 1);
  });

  it("F1: rejects writes that have waited for five seconds", async () => {
    const { state, group } = lockedUntil(Infinity);
    await assertRejects(() => group.write(() => 1), Error, "database is locked");
    assertEquals(state.now, 5000);
  });

  it("F1: retries a read until the file is free, for at most five seconds", async () => {
    const { state, group } = lockedUntil(0);
    const readUntil = (end: number) => () => {
      if (state.now < end) throw new Error("database is locked");
      return "read";
    };
    assertEquals(await group.read(readUntil(100)), "read");
    await assertRejects(() => group.read(readUntil(Infinity)), Error, "database is locked");
  });

  it("rejects a read at once that fails for another reason", async () => {
    const { state, group } = lockedUntil(0);
    await assertRejects(() => group.read(failing), Error, "no such table");
    assertEquals(state.now, 0);
  });

  it("tries a group that failed once more, write by write and without a pause", async () => {
    const { state, group } = lockedUntil(0);
    const writes = [group.write(() => 1), group.write(failing), group.write(() => 3)];
    const statuses = (await Promise.allSettled(writes)).map(({ status }) => status);
    assertEquals(statuses, ["fulfilled", "rejected", "fulfilled"]);
    assertEquals(state, { now: 0, attempts: 1 + 3 });
  });

  it("commits together what comes with a quiet turn between, up to 64 writes", async () => {
    const write = async (count: number, turnsBetween = 1) => {
      const { state, group } = lockedUntil(0);
      const writes: Array<Promise<unknown>> = [];
      for (let turn = 0; turn < count; turn++) {
        const next = turns(turnsBetween);
        writes.push(group.write(() => turn));
        await next;
      }
      await Promise.all(writes);
      return state.attempts;
    };
    assertEquals(await write(10), 1);
    assertEquals(await write(10, 2), 1);
    assertEquals(await write(70), 2);
  });
});
