import { listWaiting } from "../../../../src/lab/features/ciba/approvals.ts";
import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const approvalFixtures: LabFixtures = {
  operations: {
    "GET /approvals": { queries: [{}], member: (lab) => listWaiting(lab.context) },
    "POST /approvals": {
      bodies: [
        { user: "alice" },
        { user: "alice", deny: true, after: "5s", client: "demo-agent" },
        { user: "nobody" },
        { user: "alice", after: "soon" },
        { user: 5 },
        { user: "alice", deny: "yes" },
        { user: "alice", client: 1 },
        { user: "alice", unknown: 1 },
        {},
      ],
      member: (lab, { body: { user, ...options } }) => lab.approve(user, options),
    },
  },
  use: (lab) => lab.approve("bob"),
};
