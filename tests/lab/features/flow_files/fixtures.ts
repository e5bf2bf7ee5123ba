import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const flowFileFixtures: LabFixtures = {
  operations: {
    "GET /flows/:id/html": {
      segments: ["flow-1", "flow-9"],
      member: (lab, { segment }) => lab.exportFlow(segment),
    },
  },
};
