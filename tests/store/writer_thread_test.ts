import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join } from "node:path";
import { describe } from "node:test";
import { sqliteStore } from "../../src/server/store/sqlite.ts";
import { createGroupCommit } from "../../src/server/store/sqlite/group_commit.ts";
import type { RowResult, RowStatement } from "../../src/server/store/sqlite/statements.ts";
import { createWriterThread } from "../../src/server/store/sqlite/writer_thread.ts";
import { inFolder } from "../support/folder.ts";
import { itWith } from "../support/it_with.ts";

const ended = "The thread that writes to the SQLite file has ended.";

/** Something that makes the thread throw where it catches nothing. */
const deadly = null as unknown as RowStatement[][];

/** Opens a store, and a thread that writes to the same file. */
async function withThread(
  act: (writer: ReturnType<typeof createWriterThread>, failures: Error[]) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const path = join(folder, "test.db");
    const store = sqliteStore(path);
    const failures: Error[] = [];
    const writer = createWriterThread(path, [], (cause) => failures.push(cause));
    await act(writer, failures);
    await writer.close();
    await store.close();
  });
}

const it = itWith({ withThread: { around: withThread } });

describe("The thread that writes to a SQLite file", () => {
  it.withThread("commits the writes of a group together, and returns the result of each statement", async (writer) => {
    const add: RowStatement = ["add", "a", "1", "true", 5, null];
    const get: RowStatement = ["get", "a", "1"];
    const [first, second] = await writer.commit([[add, get], [add]]);
    assertEquals(first, [1, { value: "true", expires_at: 5, used_at: null }]);
    assertEquals(second, [0]);
  });

  it.withThread("makes none of them if one fails, and goes on", async (writer) => {
    const broken = ["put", "a", null, "true", 5, null] as const;
    const add: RowStatement = ["add", "a", "1", "true", 5, null];
    await assertRejects(() => writer.commit([[add], [broken]]), Error, "NOT NULL constraint");
    assertEquals(await writer.commit([[add]]), [[1]]);
  });

  it.withThread("fails every write that waits when it ends, and each one after that", async (writer) => {
    const commits = createGroupCommit<RowStatement[], RowResult[]>((writes) =>
      writer.commit(writes.length === 1 ? writes : deadly)
    );
    const write = () => commits.write([["delete", "a", "1"]]);
    assertEquals(await write(), [0]);
    writer.check();
    const waiting = await Promise.allSettled([write(), write(), write()]);
    assertEquals(waiting.map(({ status }) => status), ["rejected", "rejected", "rejected"]);
    await assertRejects(write, Error, ended);
    assertThrows(() => writer.check(), Error, ended);
  });

  it("reports once that it has ended, and not that it was closed", async () => {
    await withThread(async (writer, failures) => {
      await assertRejects(() => writer.commit(deadly), Error, ended);
      assertEquals(failures.map(({ message }) => message), [ended]);
    });
    await withThread(async (writer, failures) => {
      await writer.commit([[["delete", "a", "1"]]]);
      await writer.close();
      assertEquals(failures, []);
    });
  });
});
