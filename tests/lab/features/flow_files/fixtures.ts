import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const flowFileFixtures: LabFixtures = {
  exports: ["/flows/FLOW/html"],
  operations: {
    "GET /flows/:id/html": {
      segments: ["flow-1", "flow-9"],
      member: (lab, { segment }) => lab.exportFlow(segment),
    },
  },
};
