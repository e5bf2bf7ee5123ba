import type { Operation } from "./operation.ts";

/** A snapshot of a lab. */
export interface SnapshotId {
  /** The id, for POST /snapshots/{id}. */
  id: string;
}

export const snapshotOperations: readonly Operation[] = [
  {
    method: "POST",
    path: "/reset",
    summary: "Returns everything to how it was at the start, except the signing keys.",
    run: (lab) => lab.reset(),
  },
  {
    method: "POST",
    path: "/snapshots",
    summary: "Remembers users, clients, clock and everything stored.",
    returns: "SnapshotId",
    run: async (lab): Promise<SnapshotId> => ({ id: await lab.snapshot() }),
  },
  {
    method: "POST",
    path: "/snapshots/:id",
    summary: "Returns to a snapshot, and removes faults and records.",
    run: (lab, { segment }) => lab.restore(segment),
  },
];
