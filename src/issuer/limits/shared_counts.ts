import { joinedId, joinedPrefix, partsOf } from "../records/joined_id.ts";
import type { Table } from "../records/table.ts";

/** Counts of the current minute that processes tell each other through the store. */
export interface SharedCounts {
  /** What the other processes have counted for a name. */
  usedElsewhere(name: string): Promise<number>;
  /** Tells the others what this process has counted for a name. */
  publish(name: string, count: number): Promise<void>;
}

const minute = 60_000;

/** Each process writes rows of its own, `name/minute/process`: none overwrites another's count. */
export function createSharedCounts(
  table: Table<number>,
  now: () => number,
  newProcessId: () => string,
): SharedCounts {
  let processId: string | undefined;
  const currentMinute = () => Math.floor(now() / minute);
  return {
    async usedElsewhere(name) {
      const rows = await table.list(joinedPrefix(name, `${currentMinute()}`));
      const others = rows.filter(([id]) => partsOf(id)[2] !== processId);
      return others.reduce((sum, [, count]) => sum + count, 0);
    },
    async publish(name, count) {
      processId ??= newProcessId();
      const current = currentMinute();
      await table.put(joinedId(name, `${current}`, processId), count, (current + 1) * minute);
    },
  };
}
