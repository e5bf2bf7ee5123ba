import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const snapshotFixtures: LabFixtures = {
  operations: {
    "POST /snapshots": { member: async (lab) => ({ id: await lab.snapshot() }) },
    "POST /snapshots/:id": {
      segments: ["snapshot-1", "snapshot-9"],
      member: (lab, { segment }) => lab.restore(segment),
    },
  },
  use: (lab) => lab.snapshot(),
};
