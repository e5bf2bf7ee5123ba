import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { parsePostgresUrl } from "../../src/server/store/postgres/address.ts";
import {
  checkPrivileges,
  checkWritable,
  findDirectProcess,
  serverWarnings,
} from "../../src/server/store/postgres/check_server.ts";
import type { Sql } from "../../src/server/store/postgres/driver.ts";
import { openFailure } from "../../src/server/store/postgres/open_failure.ts";
import { migrate } from "../../src/server/store/postgres/schema.ts";
import { UnsuitableServerError } from "../../src/server/store/store_errors.ts";

/** A server that responds to every statement with the same rows. */
function respondWith(...rows: Array<Readonly<Record<string, unknown>>>): Sql {
  return (async () => rows) as unknown as Sql;
}

/** A server that loses nothing. */
const safe = respondWith({ fsync: "on", commit: "on" });

const direct = { isPooled: false };

describe("A PostgreSQL store on another machine", () => {
  const cases: Array<[mode: string, count: number]> = [
    ["?sslmode=disable", 1],
    ["?sslmode=prefer", 1],
    ["", 1],
    ["?sslmode=require", 0],
    ["?sslmode=verify-full", 0],
  ];
  for (const [mode, count] of cases) {
    it(`has ${count} warnings of listeners with '${mode}'`, async () => {
      const remote = parsePostgresUrl(`postgres://a:b@db.example/hallpass${mode}`);
      assertEquals((await serverWarnings(safe, remote, direct)).length, count);
      const local = parsePostgresUrl(`postgres://a:b@localhost/hallpass${mode}`);
      assertEquals(await serverWarnings(safe, local, direct), []);
    });
  }

  it("has a warning if one of several hosts is elsewhere", async () => {
    const address = parsePostgresUrl("postgres://a:b@localhost,db.example/hallpass");
    assertEquals((await serverWarnings(safe, address, direct)).length, 1);
  });
});

describe("A PostgreSQL server that loses writes in a crash", () => {
  const cases: Array<[fsync: string, commit: string, names: string[]]> = [
    ["on", "on", []],
    ["off", "on", ["fsync"]],
    ["on", "off", ["synchronous_commit"]],
    ["off", "off", ["fsync", "synchronous_commit"]],
    ["on", "local", []],
  ];
  for (const [fsync, commit, names] of cases) {
    it(`has a warning for each setting: fsync ${fsync}, synchronous_commit ${commit}`, async () => {
      const local = parsePostgresUrl("postgres://a@localhost");
      const warnings = await serverWarnings(respondWith({ fsync, commit }), local, direct);
      assertEquals(warnings.map((warning) => /\((\w+) off\)/.exec(warning)?.[1]), names);
    });
  }
});

describe("A failover of PostgreSQL", () => {
  const cases: Array<[hosts: string, standbys: string, count: number]> = [
    ["localhost", "", 0],
    ["localhost,127.0.0.1", "", 1],
    ["localhost,127.0.0.1", "*", 0],
  ];
  for (const [hosts, standbys, count] of cases) {
    it(`R4: has ${count} warnings with ${hosts} and synchronous_standby_names '${standbys}'`, async () => {
      const address = parsePostgresUrl(`postgres://a@${hosts}/hallpass`);
      const warnings = await serverWarnings(respondWith({ standbys }), address, direct);
      assertEquals(warnings.length, count);
      for (const warning of warnings) assertMatch(warning, /sign-outs.*synchronous_standby_names/);
    });
  }
});

describe("A connection pooler before PostgreSQL", () => {
  const local = parsePostgresUrl("postgres://a@localhost");

  it("is found by the process that serves the connection", async () => {
    const served = (pid: number, told: number | undefined) => {
      const state = told === undefined ? undefined : { pid: told };
      return (async () => Object.assign([{ pid }], { state })) as unknown as Sql;
    };
    assertEquals(await findDirectProcess(served(7, 7)), 7);
    assertEquals(await findDirectProcess(served(7, 8)), undefined);
    assertEquals(await findDirectProcess(served(7, undefined)), undefined);
  });

  it("has a warning until it limits the time of statements", async () => {
    const warnings = (timeout: string) =>
      serverWarnings(respondWith({ timeout }), local, { isPooled: true });
    const [warning = "", ...others] = await warnings("0");
    assertMatch(warning, /^A connection pooler .* ALTER ROLE … SET statement_timeout = '6s'\.$/);
    assertEquals([others, await warnings("5s")], [[], []]);
  });
});

describe("A PostgreSQL server that is unsuitable", () => {
  const cases: Record<string, [check: () => Promise<void>, problem: RegExp | undefined]> = {
    "takes writes": [() => checkWritable(respondWith({ read_only: "off" })), undefined],
    "is a replica": [() => checkWritable(respondWith({ is_replica: true })), /is a replica/],
    "only reads": [() => checkWritable(respondWith({ read_only: "on" })), /transactions only read/],
    "allows everything": [() => checkPrivileges(respondWith(), undefined), undefined],
    "allows too little": [
      () => checkPrivileges(respondWith({ privilege: "UPDATE" }, { privilege: "DELETE" }), "auth"),
      /^the user may not UPDATE, DELETE in the table/,
    ],
    "has tables of this version": [() => migrate(withVersion(2), undefined), undefined],
    "has no version yet": [() => migrate(withVersion(undefined), "auth"), undefined],
    "has tables of a later version": [
      () => migrate(withVersion(3), undefined),
      /^its tables have version 3/,
    ],
  };
  for (const [what, [check, problem]] of Object.entries(cases)) {
    it(`is refused before it is used, if it ${what}`, async () => {
      const failure = await check().then(() => undefined, (cause) => openFailure(cause));
      assertEquals(failure === undefined, problem === undefined, failure);
      if (problem) assertMatch(`${failure}`, problem);
    });
  }

  /** A database with our tables; if it names their version, nothing may change it. */
  function withVersion(version: number | undefined): Sql {
    const versions = version === undefined ? [] : [{ version }];
    const unsafe = async (text: string) => text.includes("regclass") ? [{ found: true }] : versions;
    const begin = version === undefined ? async () => {} : undefined;
    return { unsafe, begin } as unknown as Sql;
  }
});

describe("Why a PostgreSQL store cannot be opened", () => {
  const reasons: Array<[what: string, cause: unknown, reason: string]> = [
    [
      "a code",
      Object.assign(new Error("connection closed"), { code: "3D000" }),
      "there is no database with this name",
    ],
    ["a text", new Error("getaddrinfo x"), "the name of its host was not found"],
    ["neither", Object.assign(new Error("other"), { code: "XX000" }), "XX000 other"],
    ["our own words", new UnsuitableServerError("its certificate"), "its certificate"],
  ];
  for (const [what, cause, reason] of reasons) {
    it(`follows from ${what}`, () => assertEquals(openFailure(cause), reason));
  }
});
