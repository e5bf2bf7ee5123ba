import { withBatch } from "../../server/store/batch.ts";
import type { Store } from "../../server/store/store.ts";
import type { MetricRegistry } from "./registry.ts";

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

  const { now, batch } = store;
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
    close: () => store.close(),
  };
  return batch
    ? withBatch(metered, (calls) => measure("batch", () => batch.call(store, calls)))
    : metered;
}
