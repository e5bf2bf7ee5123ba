import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { snapshotOperations } from "./snapshot_operations.ts";
import type { SnapshotTools } from "./snapshot_tools.ts";

/** The operations on snapshots. */
export const snapshotInterface: FeatureInterface<SnapshotTools> = {
  operations: snapshotOperations,
  groups: [{ name: "snapshots", title: "Snapshots", before: "reset" }],
};
