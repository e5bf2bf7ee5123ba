import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const reportFixtures: LabFixtures = {
  operations: {
    "GET /report": { member: (lab) => lab.report() },
    "POST /assert-clean": {
      bodies: [{}, { refused: true, reached: true }],
      member: (lab, { body }) => lab.assertClean(body),
    },
  },
  exports: ["/report", "/report?format=junit", "/report?format=sarif"],
  stateOf: (lab) => lab.report(),
};
