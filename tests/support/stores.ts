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

/** A store that lets something else happen before one of its calls. */
export interface InterruptibleStore extends Store {
  /** Runs `act` before the call of this number, counted from now on; tells afterwards whether that came. */
  interrupt(call: number, act: () => Promise<unknown>): () => boolean;
  /** Fails every call from now on, as for a process that has died, or works again. */
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
      if (left-- === 0) await act();
      if (dead) throw new Error("The process is dead.");
      return await (method as (...args: unknown[]) => unknown)(...args);
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

/** One thing that happens in the middle of another one. */
export interface Interruption<T> {
  open(store: InterruptibleStore): Promise<T>;
  act(world: T): Promise<unknown>;
  /** Comes before one of the store calls that `act` makes. */
  interruption(world: T): Promise<unknown>;
  check(world: T, call: number): Promise<void>;
}

/** Tries an interruption before each store call in turn; gives back how many there were. */
export async function interruptEachCall<T>(
  { open, act, interruption, check }: Interruption<T>,
): Promise<number> {
  for (let call = 0;; call++) {
    const store = interruptibleStore();
    const world = await open(store);
    const came = store.interrupt(call, () => interruption(world));
    await act(world).catch(() => {});
    const wasReached = came();
    store.interrupt(-1, async () => {});
    await check(world, call);
    if (!wasReached) return call;
  }
}
