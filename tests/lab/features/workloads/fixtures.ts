import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const workloadFixtures: LabFixtures = {
  operations: { "GET /workloads": { member: (lab) => lab.workloads() } },
};
