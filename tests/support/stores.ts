import { memoryStore } from "../../src/store/memory.ts";
import type { Store } from "../../src/store/store.ts";

/** A store whose methods fail on demand. */
export function failingStore(): Store & { failing: Set<keyof Store> } {
  const store = memoryStore();
  const failing = new Set<keyof Store>();
  const guarded = Object.entries(store).map(([name, method]) => [
    name,
    async (...args: unknown[]) => {
      if (failing.has(name as keyof Store)) throw new Error("The disk is on fire.");
      return await (method as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  return Object.assign(Object.fromEntries(guarded) as Store, { failing });
}

/** A store that tells of every row that is written, and of all that was written into it. */
export function watchedStore(): Store & { writes: string[]; texts: string[] } {
  const store = memoryStore();
  const writes: string[] = [];
  const texts: string[] = [];
  const told = (["put", "add", "consume", "delete"] as const).map((name) => [
    name,
    async (kind: string, ...rest: unknown[]) => {
      const result = await (store[name] as (...args: unknown[]) => Promise<unknown>)(kind, ...rest);
      if (result !== false) writes.push(`${name} ${kind}`);
      texts.push(JSON.stringify(rest));
      return result;
    },
  ]);
  return Object.assign({ ...store, ...Object.fromEntries(told) } as Store, { writes, texts });
}
