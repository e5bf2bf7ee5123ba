import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const reportFixtures: LabFixtures = {
  operations: {
    "GET /report": { member: (lab) => lab.report() },
  },
  onlyInTypeScript: { assertClean: "GET /report has 'clean'" },
  exports: ["/report", "/report?format=junit", "/report?format=sarif"],
  stateOf: (lab) => lab.report(),
};
