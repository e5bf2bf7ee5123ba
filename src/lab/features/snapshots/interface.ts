import { operation } from "../../core/operation.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import type { SnapshotTools } from "./feature.ts";

/** A snapshot of a lab. */
export interface SnapshotId {
  /** The id, for POST /snapshots/{id}. */
  id: string;
}

export const snapshotInterface: FeatureInterface<SnapshotTools> = {
  operations: [
    operation("POST /snapshots", {
      name: "take-snapshot",
      summary: "Remembers users, clients, clock and everything stored.",
      returns: "SnapshotId",
      run: async (lab): Promise<SnapshotId> => ({ id: await lab.snapshot() }),
    }),
    operation("POST /snapshots/:id", {
      name: "restore-snapshot",
      example: { segment: "snapshot-1" },
      summary: "Returns to a snapshot, and removes faults and records.",
      run: (lab, { segment }) => lab.restore(segment),
    }),
  ],
};
