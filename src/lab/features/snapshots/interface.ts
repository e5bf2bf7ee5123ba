import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import type { SnapshotTools } from "./feature.ts";

/** A snapshot of a lab. */
export interface SnapshotId {
  /** The id, for POST /snapshots/{id}. */
  id: string;
}

export const snapshotInterface: FeatureInterface<SnapshotTools> = {
  operations: [
    {
      name: "take-snapshot",
      method: "POST",
      path: "/snapshots",
      summary: "Remembers users, clients, clock and everything stored.",
      returns: "SnapshotId",
      run: async (lab): Promise<SnapshotId> => ({ id: await lab.snapshot() }),
    },
    {
      name: "restore-snapshot",
      method: "POST",
      path: "/snapshots/:id",
      example: { segment: "snapshot-1" },
      summary: "Returns to a snapshot, and removes faults and records.",
      run: (lab, { segment }) => lab.restore(segment),
    },
  ],
};
