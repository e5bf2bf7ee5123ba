import type { LabFeature } from "../../feature.ts";
import { unknownName } from "../../util/lab_error.ts";

/** What a test can do to return to an earlier state. */
export interface SnapshotTools {
  /**
   * Remembers users, clients, clock, sessions, consents, tokens and keys. Returns the id of the
   * snapshot.
   */
  snapshot(): Promise<string>;
  /**
   * Returns to a snapshot. It removes faults, hooks, queued responses and records, and resets
   * hands-free sign-in; tenants stay.
   *
   * @throws {LabError} There is no such snapshot.
   */
  restore(snapshot: string): Promise<void>;
}

/** Returns a lab to an earlier state, as often as a test likes. */
export const snapshots: LabFeature<SnapshotTools> = {
  name: "snapshots",
  open({ lab }) {
    const taken = new Map<string, () => Promise<void>>();
    return {
      tools: {
        async snapshot() {
          const restore = await lab().capture();
          const id = `snapshot-${taken.size + 1}`;
          taken.set(id, restore);
          return id;
        },
        async restore(id) {
          const restore = taken.get(id);
          if (!restore) throw unknownName("snapshot", id, [...taken.keys()]);
          await restore();
        },
      },
    };
  },
};
