import { withdrawConsent } from "../../../../src/lab/features/consents/list_consents.ts";
import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const consentFixtures: LabFixtures = {
  operations: {
    "GET /consents": {
      queries: [{}, { user: "alice" }, { user: "nobody" }],
      member: (lab, { query }) => lab.consents(query),
    },
    "DELETE /consents/:id": {
      segments: ["alice:demo-spa", "unknown"],
      member: (lab, { segment }) => withdrawConsent(lab.context, segment),
    },
  },
};
