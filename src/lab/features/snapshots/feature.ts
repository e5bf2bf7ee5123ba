import type { LabFeature } from "../../feature.ts";
import { unknownName } from "../../util/lab_error.ts";
import type { SnapshotTools } from "./snapshot_tools.ts";

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
      internals: {},
    };
  },
};
