import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createWriteQueue } from "../../src/server/store/sqlite/group_commit.ts";

/** A queue whose writes are named, on a database that can be locked. */
function openQueue() {
  const log: string[] = [];
  const state = { isLocked: false };
  const exec = (sql: string) => {
    if (state.isLocked) throw new Error("database is locked");
    log.push(sql);
  };
  const queue = createWriteQueue({ exec });
  const add = (name: string, { fails = false, deadline = 0 } = {}) => {
    const run = () => {
      if (fails) throw new Error("constraint failed");
      return () => void log.push(`${name} resolves`);
    };
    queue.add({ run, reject: () => log.push(`${name} rejects`), deadline });
  };
  return { state, log, queue, add };
}

describe("Writes that wait for a commit", () => {
  it("share a commit, and hear of it once it is durable", () => {
    const { log, queue, add } = openQueue();
    add("one");
    add("two");
    assertEquals(queue.commitNext(), undefined);
    assertEquals(log, ["BEGIN IMMEDIATE", "COMMIT", "one resolves", "two resolves"]);
    assertEquals(queue.size(), 0);
  });

  it("are committed one by one after they failed together", () => {
    const { log, queue, add } = openQueue();
    add("one");
    add("two", { fails: true });
    queue.commitNext();
    assertEquals([queue.size(), log], [2, ["BEGIN IMMEDIATE", "ROLLBACK"]]);
    log.length = 0;
    queue.commitNext();
    queue.commitNext();
    assertEquals(queue.size(), 0);
    const commits = ["BEGIN IMMEDIATE", "COMMIT", "one resolves"];
    assertEquals(log, [...commits, "BEGIN IMMEDIATE", "ROLLBACK", "two rejects"]);
  });

  it("wait for a locked file until their deadline", () => {
    const { state, log, queue, add } = openQueue();
    add("one", { deadline: 1 });
    add("two", { deadline: 2 });
    state.isLocked = true;
    const cause = queue.commitNext();
    assertEquals([String(cause), queue.size()], ["Error: database is locked", 2]);
    queue.rejectOverdue(1, cause);
    assertEquals([log, queue.size()], [["one rejects"], 1]);
    state.isLocked = false;
    queue.commitNext();
    assertEquals(log.at(-1), "two resolves");
  });
});
