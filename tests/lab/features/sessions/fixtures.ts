import {
  endSessionOrTokens,
  endSessions,
} from "../../../../src/lab/features/sessions/list_sessions.ts";
import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const sessionFixtures: LabFixtures = {
  operations: {
    "GET /sessions": {
      queries: [{}, { user: "alice" }, { user: "nobody" }],
      member: (lab, { query }) => lab.sessions(query),
    },
    "DELETE /sessions": {
      queries: [{ user: "alice" }, { user: "nobody" }, {}],
      member: (lab, { query }) => endSessions(lab, query.user),
    },
    "DELETE /sessions/:id": {
      segments: ["unknown"],
      member: (lab, { segment }) => endSessionOrTokens(lab.context, segment),
    },
  },
};
