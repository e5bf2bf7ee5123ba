import { setImmediate } from "node:timers";
import { withBatch } from "../../src/server/store/batch.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";

/** Creates a store whose methods fail on demand. */
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

/** Creates a store that records which rows are written, and their contents. */
export function watchedStore(): Store & { writes: string[]; texts: string[] } {
  const store = memoryStore();
  const writes: string[] = [];
  const texts: string[] = [];
  const recorded = (["put", "add", "consume", "delete"] as const).map((name) => [
    name,
    async (kind: string, ...rest: unknown[]) => {
      const result = await (store[name] as (...args: unknown[]) => Promise<unknown>)(kind, ...rest);
      if (result !== false) writes.push(`${name} ${kind}`);
      texts.push(JSON.stringify(rest));
      return result;
    },
  ]);
  return Object.assign({ ...store, ...Object.fromEntries(recorded) } as Store, { writes, texts });
}

/** A store that notes what its callers wait for: calls that begin at once are one wait. */
export interface CountedStore extends Store {
  /** The calls of each wait, as in "get code and get user"; those of a batch have commas. */
  waits: string[];
}

/** Creates a store that lets calls happen when no more of them begin. */
export function countedStore({ batches }: { batches: boolean }): CountedStore {
  const store = memoryStore();
  const waits: string[] = [];
  let waiting: string[] = [];
  let over: Promise<void> | undefined;

  async function settle(): Promise<void> {
    for (let count = 0; count < waiting.length;) {
      count = waiting.length;
      for (let turn = 0; turn < 3; turn++) await new Promise<void>((done) => setImmediate(done));
    }
    waits.push(waiting.sort().join(" and "));
    [waiting, over] = [[], undefined];
  }

  async function wait<T>(name: string, call: () => Promise<T>): Promise<T> {
    waiting.push(name);
    await (over ??= settle());
    return await call();
  }

  const methods = Object.entries(store).map(([name, method]) => [
    name,
    (...args: unknown[]) => wait(`${name} ${args[0]}`, async () => await method(...args)),
  ]);
  const counted: CountedStore = Object.assign(Object.fromEntries(methods), { waits });
  if (!batches) return counted;
  const { batch = () => Promise.resolve([]) } = store;
  withBatch(
    counted,
    (calls) => wait(calls.map(([name, kind]) => `${name} ${kind}`).join(", "), () => batch(calls)),
  );
  return counted;
}

/** What an interruption returns if the interrupted call is to happen, and to be reported as failed. */
export const lost = "lost";

/** A store that lets another action happen before one of its calls. */
export interface InterruptibleStore extends Store {
  /** Runs `act` before the nth call from now on; the returned function tells if that happened. */
  interrupt(call: number, act: () => Promise<unknown>): () => boolean;
  /** Makes every call fail as in a killed process, or succeed again. */
  fail(dead: boolean): void;
}

export function interruptibleStore(): InterruptibleStore {
  const store = memoryStore();
  let left = -1;
  let dead = false;
  let act = () => Promise.resolve<unknown>(undefined);
  const guarded = Object.entries(store).map(([name, method]) => [
    name,
    async (...args: unknown[]) => {
      const outcome = left-- === 0 ? await act() : undefined;
      if (dead) throw new Error("The process is dead.");
      const result = await (method as (...args: unknown[]) => unknown)(...args);
      if (outcome === lost) throw new Error("The connection was lost.");
      return result;
    },
  ]);
  return Object.assign(Object.fromEntries(guarded) as Store, {
    fail: (isDead: boolean) => void (dead = isDead),
    interrupt(call: number, interruption: () => Promise<unknown>) {
      [left, act] = [call, interruption];
      return () => left < 0;
    },
  });
}

/** An action that interrupts another action. */
export interface Interruption<T> {
  open(store: InterruptibleStore): Promise<T>;
  act(state: T): Promise<unknown>;
  /** Runs before one of the store calls of `act`. */
  interruption(state: T): Promise<unknown>;
  check(state: T, call: number): Promise<void>;
}

/** Tries an interruption before each store call in turn, and returns the number of calls. */
export async function interruptEachCall<T>(
  { open, act, interruption, check }: Interruption<T>,
): Promise<number> {
  for (let call = 0;; call++) {
    const store = interruptibleStore();
    const state = await open(store);
    const wasInterrupted = store.interrupt(call, () => interruption(state));
    await act(state).catch(() => {});
    const wasReached = wasInterrupted();
    store.interrupt(-1, async () => {});
    await check(state, call);
    if (!wasReached) return call;
  }
}

/** A store that gives a write up which happens later all the same, as behind a slow network. */
export interface LateStore extends Store {
  /** Makes the next `put` of a kind fail. The returned function makes it happen. */
  delay(kind: string): () => Promise<void>;
}

/** Creates a store whose writes can be late. */
export function lateStore(store: Store = memoryStore()): LateStore {
  const delayed = new Map<string, (write: () => Promise<unknown>) => void>();
  return {
    ...store,
    async put(kind, id, row, condition) {
      const giveUp = delayed.get(kind);
      if (!giveUp) return await store.put(kind, id, row, condition);
      delayed.delete(kind);
      giveUp(() => store.put(kind, id, row, condition));
      throw new Error("The store did not respond within 5 seconds.");
    },
    delay(kind) {
      let write: () => Promise<unknown> = () => Promise.reject(new Error("It was never written."));
      delayed.set(kind, (late) => write = late);
      return async () => void await write();
    },
  };
}
