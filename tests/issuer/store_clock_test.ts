import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { createMetricsServer } from "../../src/program/monitoring/metrics.ts";
import { createReadiness } from "../../src/program/monitoring/readiness.ts";
import { maintainKeys, rotateKey } from "../../src/server/issuer/keys/rotate_keys.ts";
import { compareClocks, findClockProblem } from "../../src/server/issuer/store_clock.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { findSweptByJump, maintain } from "../support/clock_jump.ts";
import { type Kit, openStrictKit, startOfTime } from "../support/kit.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** What the clock of a database shows. */
interface DatabaseClock {
  now: number;
}

/** A store that has the time of no server yet. */
function newStore(clock: DatabaseClock): Store {
  return { ...memoryStore(), now: async () => clock.now };
}

/** A store whose servers have long seen the same time. */
function databaseStore(clock: DatabaseClock): Store {
  const store = newStore(clock);
  const value = { at: clock.now, since: 0 };
  void store.put("clock-note", "sweep", { value, expiresAt: Infinity });
  return store;
}

/** Opens a server on a store of many; its clock is ahead by some seconds. */
function openNode(store: Store, database: DatabaseClock, ahead = 0): Kit {
  return openStrictKit({ store, now: () => database.now + ahead * 1000 });
}

/** Lets servers do what is due for an hour and a bit, with a pause that is no jump. */
async function runForAnHour(database: DatabaseClock, ...nodes: Kit[]): Promise<void> {
  for (const _ of [1, 2, 3]) {
    database.now += 25 * minute * 1000;
    for (const node of nodes) await maintain(node);
  }
}

function typesOf({ events }: Kit): string[] {
  return events.map(({ type }) => type).filter((type) => /clock|swept|retired/.test(type));
}

describe("A server whose clock jumped together with that of its store", () => {
  for (const hours of [-40, -13, 13, 40]) {
    for (const when of ["before", "after"]) {
      it(`sweeps nothing that is needed once both are right: ${hours} hours ${when} its start`, async () => {
        const database = { now: startOfTime };
        assertEquals(await findSweptByJump(databaseStore(database), database, hours, when), []);
      });
    }
  }

  it("sweeps a store that was idle for a week, once it has run for an hour", async () => {
    const database = { now: startOfTime };
    const store = databaseStore(database);
    await runForAnHour(database, openNode(store, database));
    await store.put("lock", "expired", { value: null, expiresAt: database.now });
    database.now += 7 * day * 1000;
    const node = openNode(store, database);
    database.now += 31 * 1000;
    await maintain(node);
    assertEquals(typesOf(node), []);
    await runForAnHour(database, node);
    assertEquals(typesOf(node), ["rows.swept"]);
  });

  it("counts the hour across restarts, and sweeps at once after a short one", async () => {
    const database = { now: startOfTime };
    const store = newStore(database);
    for (const swept of [[], [], ["rows.swept"], ["rows.swept"]]) {
      await store.put("lock", "expired", { value: null, expiresAt: startOfTime - 1 });
      const node = openNode(store, database);
      database.now += 31 * minute * 1000;
      await maintain(node);
      assertEquals(typesOf(node), swept);
    }
  });
});

describe("A server whose clock differs from that of its store", () => {
  for (const hours of [-40, -13, -1, 1, 13, 40]) {
    it(`R2: sweeps nothing that others need: ${hours} hours`, async () => {
      const database = { now: startOfTime };
      const store = databaseStore(database);
      const [right, wrong] = [openNode(store, database), openNode(store, database, hours * hour)];
      const { records } = right.server.context;
      await records.sessions.put("session", {} as never, database.now + 12 * hour * 1000);
      await records.revokedTokens.add("revoked", null, database.now + hour * 1000);
      await records.locks.put("expired", null, database.now + 1);
      for (const _ of [1, 2, 3]) {
        database.now += 31 * 1000;
        await maintain(wrong);
      }
      const rows = [
        await records.sessions.get("session"),
        await records.revokedTokens.get("revoked"),
        ...await store.list("lock"),
      ];
      assertEquals(rows.map((row) => row !== undefined), [true, true, true]);
      assertEquals(typesOf(wrong), ["clock.differs"]);
      await maintain(right);
      assertEquals([typesOf(right), await store.list("lock")], [["rows.swept"], []]);
    });
  }

  it("R2: sweeps again once its clock is right, and reports the next difference", async () => {
    const database = { now: startOfTime };
    const clock = { ahead: 0 };
    const store = databaseStore(database);
    const node = openStrictKit({ store, now: () => database.now + clock.ahead * 1000 });
    for (const ahead of [2 * minute, 2 * minute, 0, -2 * minute, -30]) {
      clock.ahead = ahead;
      await store.put("lock", "expired", { value: null, expiresAt: startOfTime });
      database.now += 15 * minute * 1000;
      await maintain(node);
    }
    const seconds = node.events.flatMap((event) =>
      event.type === "clock.differs" ? [event.ahead] : []
    );
    assertEquals(seconds, [120, -120]);
    assertEquals(typesOf(node).filter((type) => type === "rows.swept").length, 2);
  });

  it("R2: sweeps by the earlier of the two clocks, if they differ a little", async () => {
    const database = { now: startOfTime };
    const store = databaseStore(database);
    const node = openNode(store, database, 50);
    database.now += 31 * 1000;
    await store.put("lock", "ended", { value: null, expiresAt: database.now - 1 });
    await store.put("lock", "of others", { value: null, expiresAt: database.now + 1 });
    await maintain(node);
    assertEquals((await store.list("lock")).map(([id]) => id), ["of others"]);
  });

  it("R2: neither drops nor adds a signing key", async () => {
    const database = { now: startOfTime };
    const store = databaseStore(database);
    const right = openNode(store, database);
    await right.server.ready();
    const { context } = right.server;
    await rotateKey(context);
    const ids = async () => (await store.list("key")).map(([id]) => id);
    const before = await ids();
    database.now += 2 * day * 1000;
    const wrong = openNode(store, database, 365 * day);
    await maintainKeys(wrong.server.context);
    assertEquals([before, await ids()], [["RS256", "RS256/1"], before]);
    database.now += 365 * day * 1000;
    await maintainKeys(context);
    assertEquals(await ids(), ["RS256/1", "RS256/2"]);
  });

  for (const [name, status] of [["postgres://localhost/a", 503], ["sqlite:a.db", 200]] as const) {
    it(`Y7: makes /ready ${status} for that server alone, with the reason: ${name}`, async () => {
      const database = { now: startOfTime };
      const store = { ...databaseStore(database), name };
      const answers = await Promise.all([0, 59, 13 * hour, -13 * hour].map(async (ahead) => {
        const { context } = openNode(store, database, ahead).server;
        const port = createMetricsServer({
          formatMetrics: async () => "",
          readiness: createReadiness(() => context, undefined, 60_000),
          issuer: () => context.settings.issuer,
          isLocal: true,
        });
        const response = await port.fetch(new Request("http://localhost/ready"));
        const { warning, reason = warning ?? "" } = await response.json();
        return [response.status, reason.slice(0, 67)];
      }));
      assertEquals(answers, [
        [200, ""],
        [200, ""],
        [status, "The clock of this server is 46800 seconds ahead of its store's. It "],
        [status, "The clock of this server is 46800 seconds behind its store's. It de"],
      ]);
    });
  }

  it("takes a store without a clock as it is", async () => {
    const { context } = openStrictKit({ store: memoryStore(), now: () => 5 }).server;
    assertEquals(await compareClocks(context), { ahead: 0, differs: false });
  });

  it("R2: differs, if the store's time is no number", async () => {
    const store = { ...memoryStore(), now: async () => NaN };
    assertMatch(await findClockProblem(openStrictKit({ store }).server.context) ?? "", /NaN/);
  });

  it("is not compared while the store fails", async () => {
    const store = { ...memoryStore(), now: () => Promise.reject(new Error("away")) };
    const { context } = openStrictKit({ store }).server;
    await assertRejects(() => compareClocks(context), Error, "storage");
  });
});
