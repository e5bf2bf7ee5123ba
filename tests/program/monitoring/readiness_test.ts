import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { findRowsToReseal } from "../../../src/administration/rows_to_reseal.ts";
import { createMetricsServer } from "../../../src/program/monitoring/metrics.ts";
import { createReadiness } from "../../../src/program/monitoring/readiness.ts";
import type { ServerEvent } from "../../../src/server/config/events.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { openStrictKit } from "../../support/kit.ts";
import { failingStore, watchedStore } from "../../support/stores.ts";
import { needs } from "../../support/where_feature.ts";

/** How long a check may take on a slow machine, in milliseconds. */
const patience = 60_000;

describe("Whether a server is ready", () => {
  it("is known from a row that it writes, at most one a second for everyone who asks", async () => {
    const store = watchedStore();
    const { context } = openStrictKit({ store }).server;
    const clock = { now: 0 };
    const readiness = createReadiness(() => context, () => clock.now, patience);
    const probes = () => store.writes.filter((write) => write === "put probe").length;
    const askAll = () => Promise.all(Array.from({ length: 50 }, () => readiness.check()));
    for (const [now, expected] of [[0, 1], [999, 1], [1000, 2], [1500, 2], [2000, 3]]) {
      clock.now = now ?? 0;
      assertEquals(new Set((await askAll()).map(({ ready }) => ready)), new Set([true]));
      assertEquals(probes(), expected, `after ${now} ms`);
    }
  });

  it("is no if the store says that its rows are lost, and why", async () => {
    const check = () => Promise.reject(new Error("The file was deleted."));
    const { context } = openStrictKit({ store: { ...memoryStore(), check } }).server;
    const verdict = await createReadiness(() => context, undefined, patience).check();
    assertEquals(verdict, { ready: false, reason: "The file was deleted." });
  });

  it("leaves one row per process, which expires", async () => {
    const store = watchedStore();
    const kit = openStrictKit({ store });
    const clock = { now: 0 };
    const readiness = createReadiness(() => kit.server.context, () => clock.now, patience);
    for (clock.now = 0; clock.now < 10_000; clock.now += 1000) await readiness.check();
    assertEquals((await store.list("probe")).length, 1);
    kit.clock.advance(61);
    assertEquals((await kit.server.context.records.probes.list()).length, 0);
  });

  it("is no while the store refuses to write, and why; yes again a second later", async () => {
    const store = failingStore();
    const { context } = openStrictKit({ store }).server;
    const clock = { now: 0 };
    const readiness = createReadiness(() => context, () => clock.now, patience);
    store.failing.add("put");
    const verdict = await readiness.check();
    assertMatch(
      verdict.ready ? "" : verdict.reason,
      /cannot reach its storage; try again in a moment: the disk is on fire/i,
    );
    store.failing.clear();
    assertEquals(await readiness.check(), verdict);
    clock.now = 1000;
    assertEquals(await readiness.check(), { ready: true });
  });

  it("is asked by probes, which start the work in the background that is due", async () => {
    const store = watchedStore();
    const finished: string[] = [];
    const onEvent = (event: ServerEvent) => {
      if (event.type === "work.finished") finished.push(event.what);
    };
    const kit = openStrictKit({ store, onEvent });
    const { context } = kit.server;
    const readiness = createReadiness(() => context, undefined, patience);
    await readiness.check();
    await context.background.idle();
    assertEquals(finished, []);
    kit.clock.advance(60);
    await readiness.check();
    await context.background.idle();
    assertEquals(finished.toSorted(), ["changes", "keys", "logout", "sweep"]);
    kit.clock.advance(60);
    readiness.close();
    await readiness.check();
    await context.background.idle();
    assertEquals(finished.length, 4);
  });

  const withSecrets = needs("encryption_at_rest");
  it("N3: is no once another secret has encrypted the keys, and why", withSecrets, async () => {
    const store = memoryStore();
    const [earlier = "", secret = ""] = ["e", "s"].map((letter) => letter.repeat(32));
    const { context } = openStrictKit({ store, secret: earlier }).server;
    const clock = { now: 0 };
    const readiness = createReadiness(() => context, () => clock.now, patience);
    assertEquals(await readiness.check(), { ready: true });
    const { context: later } = openStrictKit({ store, secret }).server;
    const rows = await findRowsToReseal(later, later.keys.encryption.withSecret(earlier));
    for (const { reseal } of rows) await reseal();
    clock.now = 1000;
    const verdict = await readiness.check();
    assertMatch(verdict.ready ? "" : verdict.reason, /encrypted with another secret/);
  });

  it("is no if that takes too long", async () => {
    const store = { ...memoryStore(), put: () => new Promise<boolean>(() => {}) };
    const { context } = openStrictKit({ store }).server;
    const verdict = await createReadiness(() => context, undefined, 10).check();
    assertEquals(verdict, { ready: false, reason: "It took longer than 0.01 seconds." });
  });

  it("is no while the server starts, and while it closes", async () => {
    const { context } = openStrictKit().server;
    const starting = createReadiness(() => undefined);
    assertEquals(await starting.check(), { ready: false, reason: "The server is starting." });
    const closing = createReadiness(() => context, undefined, patience);
    assertEquals(await closing.check(), { ready: true });
    closing.close();
    assertEquals(await closing.check(), { ready: false, reason: "The server is closing." });
  });
});

describe("The metrics port", () => {
  const issuer = "https://id.example";
  const serverFor = (isReady: boolean, isLocal = true) =>
    createMetricsServer({
      formatMetrics: async () => "a 1\n",
      readiness: {
        check: async () => isReady ? { ready: true } : { ready: false, reason: "Closing." },
        close: () => {},
      },
      issuer: () => issuer,
      isLocal,
    });
  const get = (path: string, isReady = true) =>
    serverFor(isReady).fetch(new Request(`http://localhost:9464${path}`));

  it("responds at /ready with 200 or 503, the issuer and the reason", async () => {
    const [ready, closing] = [await get("/ready"), await get("/ready", false)];
    assertEquals([ready.status, closing.status], [200, 503]);
    assertEquals(await ready.json(), { status: "ready", issuer });
    assertEquals(await closing.json(), { status: "not ready", issuer, reason: "Closing." });
  });

  const requests: Array<[what: string, url: string, method: string, status: number]> = [
    ["metrics", "http://localhost:9464/metrics", "GET", 200],
    ["metrics at an IPv6 address", "http://[::1]:9464/metrics?x=1", "GET", 200],
    ["nothing else", "http://localhost:9464/oauth2/token", "GET", 404],
    ["no other method", "http://localhost:9464/metrics", "POST", 405],
    ["no page whose name leads here", "http://rebound.example:9464/metrics", "GET", 403],
  ];
  for (const [what, url, method, status] of requests) {
    it(`serves ${what}`, async () => {
      assertEquals((await serverFor(true).fetch(new Request(url, { method }))).status, status);
    });
  }

  it("serves other names if it listens for other machines", async () => {
    const request = new Request("http://hallpass:9464/metrics");
    assertEquals((await serverFor(true, false).fetch(request)).status, 200);
  });
});
