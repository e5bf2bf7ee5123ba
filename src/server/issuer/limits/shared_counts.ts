import { minute } from "../../util/time/duration.ts";
import { idPrefix, joinId, splitId } from "../records/row_id.ts";
import type { Table } from "../records/table.ts";

/** Counts of the current minute that processes share through the store. */
export interface SharedCounts {
  /** Returns what the other processes have counted for a name. */
  usedElsewhere(name: string): Promise<number>;
  /** Publishes what this process has counted for a name. */
  publish(name: string, count: number): Promise<void>;
}

/** Each process writes its own rows, `name/minute/process`: none overwrites another's count. */
export function createSharedCounts(
  table: Table<number>,
  now: () => number,
  newProcessId: () => string,
): SharedCounts {
  let processId: string | undefined;
  const currentMinute = () => Math.floor(now() / 1000 / minute);
  return {
    async usedElsewhere(name) {
      const rows = await table.list(idPrefix(name, `${currentMinute()}`));
      const rowsOfOthers = rows.filter(([id]) => splitId(id)[2] !== processId);
      return rowsOfOthers.reduce((sum, [, count]) => sum + count, 0);
    },
    async publish(name, count) {
      processId ??= newProcessId();
      const thisMinute = currentMinute();
      const end = (thisMinute + 1) * minute * 1000;
      await table.put(joinId(name, `${thisMinute}`, processId), count, end);
    },
  };
}
