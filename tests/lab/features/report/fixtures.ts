import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const reportFixtures: LabFixtures = {
  operations: {
    "GET /report": { member: (lab) => lab.report() },
  },
  stateOf: (lab) => lab.report(),
};
