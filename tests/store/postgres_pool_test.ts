import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { parsePostgresUrl } from "../../src/server/store/postgres/address.ts";
import type {
  PostgresDriver,
  PostgresOptions,
  Sql,
} from "../../src/server/store/postgres/driver.ts";
import {
  createOwnResults,
  createStatement,
  ForeignResultError,
} from "../../src/server/store/postgres/own_result.ts";
import { codeOf, createPool } from "../../src/server/store/postgres/pool.ts";
import { createRowStore } from "../../src/server/store/postgres/row_store.ts";
import { createDeferred } from "../../src/server/util/time/promises.ts";
import { present } from "../support/present.ts";
import { withClock } from "../support/with_clock.ts";

/** An error with a code of PostgreSQL's. */
function errorWith(code: string): Error {
  return Object.assign(new Error(`failed with ${code}`), { code });
}

/** A client whose statements return rows, which repeat the last text that was sent. */
function returnRows(...rows: Array<Record<string, unknown>>) {
  return async (_: TemplateStringsArray, ...values: unknown[]) =>
    rows.map((row) => ({ call: values.findLast((value) => typeof value === "string"), ...row }));
}

const address = "postgres://app:secret@db.example/hallpass";

/** Opens a pool whose connections have no server, and notes what is called. */
function openPool(url = address, row = {}, check: "responds" | "hangs" = "responds") {
  const calls: string[] = [];
  const opened: PostgresOptions[] = [];
  const driver: PostgresDriver = (options) => {
    const number = opened.push(options);
    const ended = createDeferred<never>();
    ended.promise.catch(() => {});
    const end = ({ timeout }: { timeout: number }) => {
      calls.push(`end ${number} within ${timeout} s`);
      ended.reject(new Error("ended"));
      return timeout === 0 ? Promise.reject(new Error("dead")) : Promise.resolve();
    };
    const unsafe = (text: string) => [text];
    const run = check === "hangs" ? () => ended.promise : returnRows(row);
    return Object.assign(run, { number, end, unsafe }) as unknown as Sql;
  };
  return { calls, opened, pool: createPool(driver, parsePostgresUrl(url)) };
}

/** Returns a statement that fails with each cause in turn, and counts its attempts. */
function failing(...causes: unknown[]) {
  const usedBy: unknown[] = [];
  const statement = async (sql: Sql) => {
    usedBy.push((sql as unknown as { number: number }).number);
    if (usedBy.length <= causes.length) throw causes[usedBy.length - 1];
    return "done";
  };
  return { statement, usedBy };
}

describe("A statement for PostgreSQL", () => {
  for (const code of ["40001", "40P01"]) {
    it(`runs again after ${code}, as another transaction was first`, async () => {
      const { statement, usedBy } = failing(errorWith(code), errorWith(code));
      assertEquals(await openPool().pool.run(statement), "done");
      assertEquals(usedBy, [1, 1, 1]);
    });
  }

  it("runs at most five times", async () => {
    const causes = Array.from({ length: 5 }, () => errorWith("40001"));
    const { statement, usedBy } = failing(...causes);
    assertEquals(await openPool().pool.run(statement).catch((cause) => cause), causes[4]);
    assertEquals(usedBy.length, 5);
  });

  const failures: Array<[what: string, cause: unknown]> = [
    ["another code", errorWith("23505")],
    ["no code", new Error("failed")],
    ["something that is no error", { code: "40001" }],
  ];
  for (const [what, cause] of failures) {
    it(`runs once if it fails with ${what}`, async () => {
      const { statement, usedBy } = failing(cause);
      const { pool, calls } = openPool();
      assertEquals(await pool.run(statement).catch((thrown) => thrown), cause);
      assertEquals([usedBy, calls], [[1], []]);
    });
  }

  it("runs again after one that may only read, if a new connection leads to another server", async () => {
    const { pool, calls } = openPool();
    const { statement, usedBy } = failing(errorWith("25006"));
    assertEquals(await pool.run(statement), "done");
    assertEquals([usedBy, calls], [[1, 2], ["end 1 within 1 s"]]);
  });

  it("Y1: fails after one that may only read, if a new connection may only read, too", async () => {
    const { pool, calls, opened } = openPool(address, { read_only: "on" });
    const { statement, usedBy } = failing(errorWith("25006"));
    assertEquals(codeOf(await pool.run(statement).catch((cause) => cause)), "25006");
    assertEquals([usedBy, calls, opened.length], [[1], ["end 1 within 1 s"], 2]);
  });

  it("R0: has new connections after one that returned the result of another statement", async () => {
    const { pool, calls } = openPool();
    const { statement, usedBy } = failing(new ForeignResultError());
    const cause = await pool.run(statement).catch((cause) => cause);
    assert(cause instanceof ForeignResultError);
    assertEquals(await pool.run(statement), "done");
    assertEquals([usedBy, calls], [[1, 2], ["end 1 within 1 s"]]);
  });

  it("has new connections after one that did not respond within five seconds", async () => {
    const { pool, calls } = openPool();
    const statement = () => createDeferred<string>().promise;
    const failure = await withoutWaiting(async () => {
      const message = await pool.run(statement).catch((cause) => cause.message);
      await new Promise((resolve) => setTimeout(resolve));
      return message;
    });
    assertEquals(failure, "PostgreSQL did not respond within 5 seconds.");
    assertEquals([calls[0], calls.at(-1)], ["waited 5000 ms", "end 1 within 0 s"]);

    /** Makes every timer end at once. */
    async function withoutWaiting<T>(act: () => Promise<T>): Promise<T> {
      const { setTimeout } = globalThis;
      const atOnce = (end: () => void, milliseconds: number) => {
        calls.push(`waited ${milliseconds} ms`);
        return setTimeout(end);
      };
      Object.assign(globalThis, { setTimeout: atOnce });
      return await act().finally(() => Object.assign(globalThis, { setTimeout }));
    }
  });

  it("Y1: tries one new connection, though many statements may only read", async () => {
    const { pool, opened, calls } = openPool(address, { read_only: "on" });
    const statements = Array.from(
      { length: 5 },
      () => pool.run(failing(errorWith("25006")).statement),
    );
    await Promise.allSettled(statements);
    assertEquals([opened.length, calls], [6, ["end 5 within 1 s"]]);
  });

  it("Y1: keeps connections that respond, though it waited too long for one of them", async () => {
    const { pool, opened, calls } = openPool("postgres://app@db.example?connections=1");
    await withClock(async (advance) => {
      const [first, second] = [createDeferred<string>(), createDeferred<string>()];
      const running = pool.run(() => first.promise);
      await advance(1000);
      const waiting = pool.run(() => second.promise).catch((cause) => cause.message);
      await advance(3900);
      first.resolve("done");
      await advance(50);
      await advance(1050);
      assertEquals(await waiting, "PostgreSQL did not respond within 5 seconds.");
      second.resolve("late");
      await pool.run(async () => {});
      assertEquals([await running, opened.length, calls], ["done", 1, []]);
    });
  });

  it("Y1: neither runs nor changes a connection after it waited too long for one", async () => {
    const { pool, opened, calls } = openPool("postgres://app@db.example?connections=1");
    await withClock(async (advance) => {
      const { promise, resolve } = createDeferred<string>();
      const running = pool.run(() => promise).catch(() => {});
      const { statement, usedBy } = failing();
      const waiting = pool.run(statement).catch(() => {});
      await advance(0);
      await advance(5000);
      resolve("late");
      await Promise.all([running, waiting, advance(0)]);
      assertEquals([usedBy, opened.length, calls], [[], 1, []]);
    });
  });

  it("Y1: does not share its connection with a check that has not responded", async () => {
    const { pool, opened } = openPool("postgres://app@db.example?connections=1", {}, "hangs");
    await withClock(async (advance) => {
      const refused = pool.run(failing(errorWith("25006")).statement).catch(() => {});
      await advance(0);
      await advance(5000);
      const { statement, usedBy } = failing();
      const running = pool.run(statement).catch(() => {});
      await advance(1000);
      assertEquals(usedBy, []);
      await advance(1000);
      await Promise.allSettled([refused, running]);
      assertEquals([usedBy, opened.length], [[3], 3]);
    });
  });

  it("Y1: waits for a connection if all of them run another statement", async () => {
    const { pool, opened } = openPool("postgres://app@db.example?connections=2");
    const { promise, resolve } = createDeferred<string>();
    const running = Array.from({ length: 5 }, () => pool.run(() => promise));
    resolve("done");
    assertEquals(await Promise.all(running), Array(5).fill("done"));
    assertEquals(opened.length, 2);
  });
});

describe("A result from PostgreSQL", () => {
  /**
   * Runs statements that return the same rows, with the mark of the statement if they have none.
   */
  const returning = (...rows: Array<Record<string, unknown>>) => {
    const execute = createOwnResults((run) => run(returnRows(...rows) as unknown as Sql));
    return execute(createStatement("SELECT 'a' AS kind"), [], (rows) => rows.length);
  };
  const foreign = { call: "another" };

  it("R0: counts if it carries the mark of its statement", async () => {
    assertEquals(await returning({ kind: "a" }, { kind: "b" }), 2);
  });

  it("R0: has no rows only if one without a kind says so", async () => {
    assertEquals(await returning({ kind: null }), 0);
  });

  const refused: Record<string, Array<Record<string, unknown>>> = {
    "is empty": [],
    "carries another mark": [{ ...foreign, kind: "a" }],
    "carries another mark in one row": [{ kind: "a" }, { ...foreign, kind: "b" }],
  };
  for (const [name, rows] of Object.entries(refused)) {
    it(`R0: is refused if it ${name}`, async () => {
      await assertRejects(() => returning(...rows), ForeignResultError);
    });
  }

  const strangers: Record<string, Record<string, unknown>> = {
    "of another kind": { n: 1, kind: "session", id: "31" },
    "with another id": { n: 1, kind: "user", id: "32" },
    "of a call that it does not have": { n: 2, kind: "user", id: "31" },
    "that it was not to change": { n: null, kind: "user", id: "32" },
  };
  for (const [name, row] of Object.entries(strangers)) {
    it(`R0: is refused if it has a row ${name}`, async () => {
      const { pool, opened } = openPool("postgres://app@db.example", row);
      await assertRejects(() => createRowStore(pool).get("user", "1"), ForeignResultError);
      await pool.run(async () => {});
      assertEquals(opened.length, 2);
    });
  }
});

describe("The mark of a statement for PostgreSQL", () => {
  /** Creates connections, of which each has the process that it was told and the one it runs in. */
  function connect(...processes: Array<[told: number, own: number]>) {
    const marks: boolean[] = [];
    let unfinished = 0;
    const connections = processes.map((process) => {
      const sql = async ({ raw: [start = ""] }: TemplateStringsArray, call?: string) => {
        const [told, own] = process;
        const isQuestion = start.includes("pg_backend_pid");
        if (!isQuestion) marks.push(call !== undefined);
        const rows: unknown[] = [];
        rows[unfinished] = isQuestion ? { pid: own } : { kind: "a", call };
        unfinished = 0;
        return Object.assign(rows, { state: { pid: told } });
      };
      return { sql: sql as unknown as Sql, path: {}, process };
    });
    let next = 0;
    const execute = createOwnResults((statement) => {
      const { sql, path } = present(connections[next++ % connections.length]);
      return statement(sql, path);
    });
    const statement = createStatement("SELECT 'a' AS kind");
    return {
      ...{ marks, connections },
      ask: () => execute(statement, [], (rows) => Array.from(rows, (row) => row?.kind)),
      breakOff: (rows: number) => unfinished = rows,
    };
  }

  it("R0: is left out where PostgreSQL's own process is at the other end", async () => {
    const { ask, marks } = connect([7, 7], [8, 8]);
    for (let n = 0; n < 4; n++) await ask();
    assertEquals(marks, [false, false, false, false]);
  });

  const poolers: Record<string, Array<[told: number, own: number]>> = {
    "another process": [[1, 7]],
    "the right process once, by chance": [[7, 8], [9, 9]],
    "on two connections the same process, as it passes on the number of one": [[7, 7], [7, 7]],
  };
  for (const [shown, processes] of Object.entries(poolers)) {
    it(`R0: is there behind a pooler that shows ${shown}`, async () => {
      const { ask, marks } = connect(...processes);
      for (let n = 0; n < 4; n++) await ask();
      assertEquals(marks.slice(1), [true, true, true]);
    });
  }

  it("R0: stays away after the client connected again, as it asked again", async () => {
    const { ask, marks, connections } = connect([7, 7]);
    await ask();
    connections[0]?.process.fill(8);
    for (let n = 0; n < 2; n++) await ask();
    assertEquals(marks, [false, false, false]);
  });

  const reconnections: Record<string, () => ReturnType<typeof connect>> = {
    "marked": () => connect([1, 7]),
    "not marked": () => connect([7, 7]),
  };
  for (const [how, open] of Object.entries(reconnections)) {
    it(`has all rows of a result after a connection broke off within another: ${how}`, async () => {
      const { ask, breakOff, connections, marks } = open();
      await ask();
      connections[0]?.process.fill(8);
      breakOff(2);
      assertEquals([await ask(), await ask()], [["a"], ["a"]]);
      assertEquals(new Set(marks), new Set([how === "marked"]));
    });
  }

  it("Y1: finds the process of a connection although another one broke off within a result", async () => {
    const { ask, breakOff, marks } = connect([7, 7]);
    breakOff(2);
    await ask();
    assertEquals(marks, [false]);
  });

  it("R0: comes back after a pooler was at the other end of a new connection", async () => {
    const { ask, marks, connections } = connect([7, 7]);
    await ask();
    connections[0]?.process.splice(0, 2, 1, 8);
    await assertRejects(ask, ForeignResultError);
    await ask();
    assertEquals(marks, [false, false, true]);
  });
});

describe("Closing the connections to PostgreSQL", () => {
  it("waits for statements that run, even if they fail", async () => {
    const { pool, calls } = openPool();
    const { promise, reject } = createDeferred<string>();
    const statement = () => promise.finally(() => calls.push("failed"));
    const running = pool.run(statement).catch(() => {});
    const closed = pool.close();
    await new Promise((resolve) => setTimeout(resolve));
    assertEquals(calls, []);
    reject(new Error("failed"));
    await Promise.all([running, closed]);
    assertEquals(calls, ["failed", "end 1 within 1 s"]);
  });

  it("Y1: may be asked for more than once at the same time", async () => {
    const { pool, calls } = openPool();
    await pool.run(async () => {});
    await Promise.all([pool.close(), pool.close()]);
    await pool.close();
    assertEquals(calls, ["end 1 within 1 s"]);
  });

  it("Y1: is final, also for a statement that waits for a connection", async () => {
    const { pool, opened } = openPool("postgres://app@db.example?connections=1");
    const { promise, resolve } = createDeferred<string>();
    const running = pool.run(() => promise);
    const closed = pool.close();
    const waiting = assertRejects(() => pool.run(async () => {}), Error, "are closed");
    resolve("done");
    await Promise.all([running, closed, waiting]);
    await assertRejects(() => pool.run(async () => {}), Error, "are closed");
    assertEquals(opened.length, 1);
  });
});

describe("What the client for PostgreSQL is told", () => {
  /** Returns the options of the first client that a pool opens. */
  async function openedWith(url: string): Promise<PostgresOptions[]> {
    const { pool, opened } = openPool(url);
    await pool.run(async () => {});
    return opened;
  }

  it("leaves a missing password to the client, which reads PGPASSWORD", async () => {
    const [options] = await openedWith("postgres://app@db.example/hallpass");
    assertEquals(Object.hasOwn(present(options), "password"), false);
  });

  it("is the address, and when to give up", async () => {
    const [options] = await openedWith(address);
    const { password, backoff, onnotice, ...others } = present(options);
    assertEquals(typeof password === "function" && await password(), "secret");
    assertEquals(typeof onnotice, "function");
    assertEquals(typeof backoff === "function" && [0, 1, 4, 5, 50].map(backoff), [
      0.05,
      0.1,
      0.8,
      1,
      1,
    ]);
    assertEquals(others, {
      host: ["db.example"],
      port: [5432],
      user: "app",
      database: "hallpass",
      ssl: "prefer",
      // One for each connection.
      max: 1,
      prepare: true,
      // More than one statement at a time, and the client may confuse their results.
      max_pipeline: 0,
      connect_timeout: 5,
      // Asking for types would cost a round trip per connection.
      fetch_types: false,
      // Later than we give up: a server that stops waiting for its standby reports success.
      connection: { application_name: "hallpass", statement_timeout: 6000, lock_timeout: 4000 },
    });
  });

  const changes: Array<[url: string, expected: object]> = [
    ["postgres://app@db.example?sslmode=disable", { ssl: false }],
    ["postgres://app@db.example?sslmode=verify-full", { ssl: "verify-full" }],
    ["postgres://app@one,two", { target_session_attrs: "read-write" }],
    ["postgres://app@db.example", { target_session_attrs: undefined }],
    // A pooler may refuse or lose the search path. The names of the tables have the schema.
    ["postgres://app@db.example?schema=auth", {
      connection: { application_name: "hallpass", statement_timeout: 6000, lock_timeout: 4000 },
    }],
  ];
  for (const [url, expected] of changes) {
    it(`follows from ${url}`, async () => {
      const options = present((await openedWith(url))[0]) as unknown as Record<string, unknown>;
      const told = Object.fromEntries(Object.keys(expected).map((name) => [name, options[name]]));
      assertEquals(told, expected as Record<string, unknown>);
    });
  }
});
