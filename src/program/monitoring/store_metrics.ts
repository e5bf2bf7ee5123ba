import process from "node:process";
import { list as listKeys } from "../../administration/keys.ts";
import { version } from "../../runtime/version.ts";
import type { Context } from "../../server/issuer/context.ts";
import { withBatch } from "../../server/store/batch.ts";
import type { Store } from "../../server/store/store.ts";
import type { Gauge, MetricRegistry } from "./registry.ts";

/** Wraps a store, so that its calls are counted and measured. */
export function meterStore(store: Store, registry: MetricRegistry): Store {
  const calls = registry.counter("hallpass_store_calls_total", "Calls of the store, by result.");
  const durations = registry.histogram(
    "hallpass_store_call_duration_seconds",
    "How long calls of the store took.",
  );

  async function measure<T>(call: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      const result = await work();
      calls.add({ call, result: "succeeded" });
      return result;
    } catch (cause) {
      calls.add({ call, result: "failed" });
      throw cause;
    } finally {
      durations.observe((performance.now() - start) / 1000, { call });
    }
  }

  const { now, batch, erase } = store;
  const metered: Store = {
    ...store.name !== undefined && { name: store.name },
    ...store.warnings && { warnings: store.warnings },
    get: (...args) => measure("get", () => store.get(...args)),
    put: (...args) => measure("put", () => store.put(...args)),
    add: (...args) => measure("add", () => store.add(...args)),
    consume: (...args) => measure("consume", () => store.consume(...args)),
    delete: (...args) => measure("delete", () => store.delete(...args)),
    list: (...args) => measure("list", () => store.list(...args)),
    sweep: (...args) => measure("sweep", () => store.sweep(...args)),
    ...now && { now: () => measure("now", now) },
    size: async () => await store.size?.() ?? {},
    check: async () => await store.check?.(),
    ...erase && { erase: () => measure("erase", erase) },
    close: () => store.close(),
  };
  return batch
    ? withBatch(metered, (calls) => measure("batch", () => batch.call(store, calls)))
    : metered;
}

/** Creates the metrics that are read on request, and the function that reads them. */
export function createStateMetrics(
  registry: MetricRegistry,
): (ctx: Context) => Promise<void> {
  const rows = registry.gauge("hallpass_store_rows", "Rows in the store, if it can count them.");
  const bytes = registry.gauge("hallpass_store_bytes", "Size of the store, if it knows it.");
  const keys = registry.gauge("hallpass_signing_keys", "Signing keys in the store, by state.");
  const ages = registry.gauge(
    "hallpass_signing_key_age_seconds",
    "How long the key that signs now has been signing.",
  );
  const memory = registry.gauge("process_resident_memory_bytes", "Memory of the process.");
  const start = registry.gauge("process_start_time_seconds", "When the process started.");
  start.set(Date.now() / 1000);
  registry.gauge("hallpass_info", "The version of Hallpass.").set(1, { version });

  async function readSize({ settings }: Context): Promise<void> {
    const size = await settings.store.size?.();
    if (size?.rows !== undefined) rows.set(size.rows);
    if (size?.bytes !== undefined) bytes.set(size.bytes);
  }

  return async (ctx) => {
    memory.set(process.memoryUsage().rss);
    // What cannot be read is left out; other metrics count the failure.
    await Promise.all([
      readSize(ctx).catch(() => [rows, bytes].forEach((gauge) => gauge.clear())),
      readKeys(ctx, keys, ages).catch(() => {}),
    ]);
  };
}

async function readKeys(ctx: Context, keys: Gauge, ages: Gauge): Promise<void> {
  const all = (await listKeys(ctx)).filter(({ state }) => state !== "configured");
  const counts = new Map<string, number>();
  keys.clear();
  ages.clear();
  for (const { alg, state, from } of all) {
    const count = (counts.get(`${alg} ${state}`) ?? 0) + 1;
    counts.set(`${alg} ${state}`, count);
    keys.set(count, { alg, state });
    if (state !== "active" || from === undefined) continue;
    ages.set(Math.max(0, ctx.now() - from) / 1000, { alg });
  }
}
