import type { Lab } from "../control/lab.ts";
import type { Drills } from "../drill/drills.ts";
import type { ServerSnapshot } from "../lab_server/replaceable_server.ts";
import type { ChangeableSettings } from "../lab_server/replaceable_settings.ts";
import type { ClockState } from "../util/clock.ts";
import { unknownName } from "../util/lab_error.ts";
import type { CapturedValues } from "../values/values.ts";
import type { LabParts } from "./lab_parts.ts";

/** The members of a lab that start, save, restore and end it. */
export type LabLifecycle = Pick<
  Lab,
  | "ready"
  | "reset"
  | "snapshot"
  | "snapshots"
  | "restore"
  | "release"
  | "onRelease"
  | "onClose"
  | "close"
>;

/** What a lab returns to. */
interface LabSnapshot {
  /** The time of the clock, in milliseconds. */
  at: number;
  server: ServerSnapshot;
  clock: ClockState;
  /** The state of the generator, if the lab has a seed. */
  randomness: number | undefined;
  values: CapturedValues;
  settings: ChangeableSettings;
  /** What the dialect remembers of users. */
  seen: readonly string[];
}

/** Creates the members of a lab that start, save, restore and end it. */
export function createLifecycle(parts: LabParts, drills: Drills): LabLifecycle {
  const { server, tenants, waits, clock } = parts;
  const { recorder, timeline, faults, hooks, values, aliases, handsFree, vouchedRequests } = parts;
  const closeListeners = new Set<() => void>();
  const snapshots = new Map<string, LabSnapshot>();
  const forget = () => {
    parts.settings.restore();
    const remembering = [recorder, timeline, faults, hooks, values, aliases, handsFree, drills];
    parts.mcpTools.clear();
    const further = [vouchedRequests, parts.steppedUp, parts.seen];
    for (const part of [...remembering, ...further]) part.clear();
  };
  return {
    async ready() {
      await server.settled();
      await server.current().ready();
    },
    async reset() {
      forget();
      clock.reset();
      parts.clientDocuments.clear();
      parts.seededBytes?.restore();
      // Both begin before the first await, so a request that comes next is held up by the reset.
      await Promise.all([tenants.close(), server.reset()]);
    },
    async snapshot() {
      await server.settled();
      const id = `snapshot-${snapshots.size + 1}`;
      snapshots.set(id, {
        at: clock.now(),
        server: await server.capture(),
        clock: clock.capture(),
        randomness: parts.seededBytes?.capture(),
        values: values.capture(),
        settings: parts.settings.read(),
        seen: [...parts.seen],
      });
      return id;
    },
    snapshots: () => [...snapshots].map(([id, { at }]) => ({ id, at })),
    async restore(id) {
      const snapshot = snapshots.get(id);
      if (!snapshot) throw unknownName("snapshot", id, [...snapshots.keys()]);
      forget();
      clock.restore(snapshot.clock);
      parts.seededBytes?.restore(snapshot.randomness);
      values.restore(snapshot.values);
      for (const each of snapshot.seen) parts.seen.add(each);
      parts.settings.restore(snapshot.settings);
      await server.restore(snapshot.server);
    },
    onRelease: waits.onRelease,
    release() {
      waits.release();
      for (const id of tenants.ids()) tenants.find(id).release();
    },
    onClose(listener) {
      closeListeners.add(listener);
      return () => void closeListeners.delete(listener);
    },
    async close() {
      waits.close();
      drills.clear();
      for (const listener of closeListeners) listener();
      await tenants.close();
      await server.current().close();
    },
  };
}
