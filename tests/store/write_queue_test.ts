import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createWriteQueue, inTransaction } from "../../src/server/store/sqlite/group_commit.ts";

/** A queue whose writes are named, on a database that can be locked. */
function openQueue() {
  const log: string[] = [];
  const state = { isLocked: false };
  const exec = (sql: string) => {
    if (state.isLocked) throw new Error("database is locked");
    log.push(sql);
  };
  const commit = (writes: ReadonlyArray<() => string>) =>
    inTransaction({ exec }, () => writes.map((write) => write()));
  const queue = createWriteQueue(commit);
  const add = (name: string, { problem = "", deadline = 0 } = {}) => {
    const write = () => {
      if (problem) throw new Error(problem);
      return name;
    };
    const resolve = (result: string) => void log.push(`${result} resolves`);
    queue.add({ write, resolve, reject: () => log.push(`${name} rejects`), deadline });
  };
  return { state, log, queue, add };
}

describe("Writes that wait for a commit", () => {
  it("share a commit, and hear of it once it is durable", async () => {
    const { log, queue, add } = openQueue();
    add("one");
    add("two");
    assertEquals(await queue.commitNext(), undefined);
    assertEquals(log, ["BEGIN IMMEDIATE", "COMMIT", "one resolves", "two resolves"]);
    assertEquals(queue.size(), 0);
  });

  it("are committed one by one after they failed together", async () => {
    const { log, queue, add } = openQueue();
    add("one");
    add("two", { problem: "constraint failed" });
    await queue.commitNext();
    assertEquals([queue.size(), log], [2, ["BEGIN IMMEDIATE", "ROLLBACK"]]);
    log.length = 0;
    await queue.commitNext();
    await queue.commitNext();
    assertEquals(queue.size(), 0);
    const commits = ["BEGIN IMMEDIATE", "COMMIT", "one resolves"];
    assertEquals(log, [...commits, "BEGIN IMMEDIATE", "ROLLBACK", "two rejects"]);
  });

  it("all fail if the disk does", async () => {
    const { log, queue, add } = openQueue();
    add("one");
    add("two", { problem: "disk I/O error" });
    await queue.commitNext();
    assertEquals(log, ["BEGIN IMMEDIATE", "ROLLBACK", "one rejects", "two rejects"]);
    assertEquals(queue.size(), 0);
  });

  it("are the next group if they come while one is committed", async () => {
    const groups: string[][] = [];
    const queue = createWriteQueue(async (writes: readonly string[]) => {
      groups.push([...writes]);
      if (groups.length === 1) add("two");
      return writes;
    });
    const add = (write: string) =>
      queue.add({ write, resolve: () => {}, reject: () => {}, deadline: 0 });
    add("one");
    await queue.commitNext();
    await queue.commitNext();
    assertEquals([groups, queue.size()], [[["one"], ["two"]], 0]);
  });

  it("wait for a locked file until their deadline", async () => {
    const { state, log, queue, add } = openQueue();
    add("one", { deadline: 1 });
    add("two", { deadline: 2 });
    state.isLocked = true;
    const cause = await queue.commitNext();
    assertEquals([String(cause), queue.size()], ["Error: database is locked", 2]);
    queue.rejectOverdue(1, cause);
    assertEquals([log, queue.size()], [["one rejects"], 1]);
    state.isLocked = false;
    await queue.commitNext();
    assertEquals(log.at(-1), "two resolves");
  });
});
