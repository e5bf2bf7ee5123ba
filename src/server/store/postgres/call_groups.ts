import { setImmediate } from "node:timers";
import { codeOf } from "./pool.ts";
import { type PlannedCall, readsOneRow } from "./row_calls.ts";
import { type FoundRow, keyOf } from "./row_statements.ts";

type MakeCalls = (calls: ReadonlyArray<PlannedCall<unknown>>) => Promise<FoundRow[][]>;

/** Calls of one caller, who waits for them. */
interface WaitingCalls {
  calls: ReadonlyArray<PlannedCall<unknown>>;
  resolve(found: FoundRow[][]): void;
  reject(cause: unknown): void;
}

/**
 * The SQLSTATEs that refuse a statement, rather than report the connection, load, a timeout, a
 * read-only server or other transactions (PostgreSQL's documentation, appendix A). They begin with
 * a digit or one of these letters; error codes of the runtime, such as EPIPE, do not.
 */
const refusal = /^(?!08|53|57|25006|40001|40P01|55P03)[\dFHPX][\dA-Z]{4}$/;

/** How long an id may be, in bytes: PostgreSQL can index no more than 2,704, with the kind. */
const maxIndexedBytes = 2600;

/**
 * Makes the calls that came in two turns of the event loop with one statement: it costs as much as
 * ten calls in it. Reads do not wait for writes, and those of single rows not for lists.
 */
export function groupCalls(make: MakeCalls): MakeCalls {
  const single = createGroup(make);
  const lists = createGroup(make);
  const writes = createGroup(make);
  return async (calls) => {
    if (calls.every(readsOneRow)) return await single(calls);
    if (calls.every(({ part }) => part === "find")) return await lists(calls);
    // The server would refuse it together with the calls of others.
    const long = calls.find(({ part, id }) => part !== "find" && id.length > 2 * maxIndexedBytes);
    if (long) throw new Error(`PostgreSQL cannot index an id of ${long.id.length / 2} bytes.`);
    return await writes(calls);
  };
}

function createGroup(make: MakeCalls): MakeCalls {
  let waiting: WaitingCalls[] = [];

  function makeAll(): void {
    const groups = splitAtRepetitions(waiting);
    waiting = [];
    for (const group of groups) void makeGroup(group);
  }

  async function makeGroup(group: readonly WaitingCalls[]): Promise<void> {
    try {
      const found = await make(group.flatMap(({ calls }) => calls));
      for (const { calls, resolve } of group) resolve(found.splice(0, calls.length));
    } catch (cause) {
      // One of them is to blame, and its statement had no effect.
      const isAlone = group.length === 1 || !refusal.test(codeOf(cause) ?? "");
      for (const each of group) isAlone ? each.reject(cause) : void makeGroup([each]);
    }
  }

  return (calls) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ calls, resolve, reject }) === 1) setImmediate(setImmediate, makeAll);
    });
}

/** Splits callers into groups that change each row once: a statement can do no more. */
function splitAtRepetitions(callers: readonly WaitingCalls[]): WaitingCalls[][] {
  const groups: Array<{ callers: WaitingCalls[]; changed: Set<string> }> = [];
  for (const caller of callers) {
    const keys = caller.calls.filter(({ part }) => part !== "find").map(keyOf);
    let group = groups.find(({ changed }) => keys.every((key) => !changed.has(key)));
    if (!group) groups.push(group = { callers: [], changed: new Set() });
    group.callers.push(caller);
    for (const key of keys) group.changed.add(key);
  }
  return groups.map(({ callers }) => callers);
}
