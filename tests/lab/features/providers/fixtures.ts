import { describeProvider } from "../../../../src/lab/features/providers/interface.ts";
import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const providerFixtures: LabFixtures = {
  operations: {
    "GET /providers/:name": {
      segments: ["google", "githup"],
      member: (lab, { segment }) => describeProvider(lab, segment),
    },
  },
};
