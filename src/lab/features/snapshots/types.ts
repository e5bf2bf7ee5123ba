export type { SnapshotTools } from "./feature.ts";
