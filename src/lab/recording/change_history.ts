import { heldBytes, megabyte } from "../../server/util/values/bounded_map.ts";
import { LabError } from "../util/lab_error.ts";
import { createRing, type RingLimits } from "./ring.ts";

/** Any web page can make the lab store something. */
const limits: RingLimits = { count: Infinity, bytes: 32 * megabyte };

/** What a change replaced, and when: by the mark that the next request got. */
interface Change {
  id: number;
  mark: number;
  kind: string;
  name: string;
  /** Undefined if there was nothing. */
  before: unknown;
}

/** How to remember a change. */
export interface NoteOptions {
  /** The mark of a moment before the old value was read. */
  mark?: number;
  /** What remembering it takes, if that is not the size of the old value. */
  bytes?: number;
}

/** Remembers what each change of a lab replaced, so that a replay can go to the lab as it was. */
export interface ChangeHistory {
  /** Returns the mark of the present, which the next request will have. */
  mark(): number;
  /** Remembers what a change replaces, by what kind of thing changes and which one. */
  note(kind: string, name: string, before: unknown, options?: NoteOptions): void;
  /**
   * Returns the time of a mark.
   *
   * @throws {LabError} Changes since then are forgotten.
   */
  at(mark: number): Past;
  /** Forgets everything. */
  clear(): void;
}

/** An earlier time, by what has changed since. */
export interface Past {
  /**
   * Returns what was there in place of what was written since, by its name.
   *
   * @throws {LabError} Changes since then are forgotten by now.
   */
  replaced<T>(kind: string): ReadonlyMap<string, T | undefined>;
}

/** Creates a history. `mark` returns the mark that the next request will have. */
export function createChangeHistory(mark: () => number): ChangeHistory {
  let lastId = 0;
  /** A time before this mark cannot be restored. */
  let forgotten = 0;
  const changes = createRing<Change>(limits, (change) => {
    forgotten = Math.max(forgotten, change.mark);
  });

  /** Of several changes, the first one replaced what was there at the mark. */
  function replacedSince(since: number): Map<string, Map<string, unknown>> {
    const kinds = new Map<string, Map<string, unknown>>();
    const later = changes.list().filter((change) => change.mark > since).toReversed();
    // They were noted when the old value was read, which can be in another order.
    for (const { kind, name, before } of later.sort((one, other) => other.mark - one.mark)) {
      kinds.set(kind, (kinds.get(kind) ?? new Map()).set(name, before));
    }
    return kinds;
  }

  function checkKnown(since: number): void {
    if (since >= forgotten) return;
    throw new LabError(
      "The lab no longer knows what it was like then: too much has changed since.",
    );
  }

  return {
    mark,
    note(kind, name, before, { mark: at = mark(), bytes = heldBytes(before) } = {}) {
      changes.add({ id: ++lastId, mark: at, kind, name, before }, bytes + heldBytes(kind + name));
    },
    at(since) {
      checkKnown(since);
      let known = { id: lastId, kinds: replacedSince(since) };
      return {
        replaced<T>(kind: string) {
          checkKnown(since);
          if (known.id !== lastId) known = { id: lastId, kinds: replacedSince(since) };
          return (known.kinds.get(kind) ?? new Map()) as ReadonlyMap<string, T | undefined>;
        },
      };
    },
    clear() {
      changes.clear();
      forgotten = mark();
    },
  };
}

/** Returns what something was in the past that is only replaced as a whole. */
export function valueAt<T>(past: Past, kind: string, now: T): T {
  const replaced = past.replaced<T>(kind);
  return replaced.has(kind) ? replaced.get(kind) as T : now;
}

/** Estimates how much memory the members take that another version does not share, in bytes. */
export function replacedBytes(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): number {
  return heldBytes(Object.entries(before).filter(([name, value]) => after[name] !== value));
}

/** A map each change of which a history remembers. */
export interface RememberedMap<V>
  extends Iterable<[string, V]>, Pick<Map<string, V>, "get" | "has" | "delete" | "clear" | "keys"> {
  set(name: string, value: V): unknown;
}

/**
 * Creates a remembered map. It is not a `Map` with other methods: where V8 found such a method, it
 * keeps the lab that the method can reach until the next full collection.
 */
export function createRememberedMap<V>(history: ChangeHistory, kind: string): RememberedMap<V> {
  const map = new Map<string, V>();
  const note = (name: string) => history.note(kind, name, map.get(name));
  return {
    get: (name) => map.get(name),
    has: (name) => map.has(name),
    keys: () => map.keys(),
    set(name, value) {
      note(name);
      map.set(name, value);
    },
    delete(name) {
      note(name);
      return map.delete(name);
    },
    clear: () => map.clear(),
    [Symbol.iterator]: () => map[Symbol.iterator](),
  };
}

/** Returns a map as it was. */
export function mapAt<V>(past: Past, kind: string, now: Iterable<[string, V]>): Map<string, V> {
  const all = new Map<string, V | undefined>([...now, ...past.replaced<V>(kind)]);
  return new Map([...all].filter((each): each is [string, V] => each[1] !== undefined));
}
