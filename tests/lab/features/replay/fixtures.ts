import { readRequestNumber } from "../../../../src/lab/util/path_segment.ts";
import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const replayFixtures: LabFixtures = {
  operations: {
    "POST /requests/:id/replay": {
      segments: ["1", "99", "x"],
      bodies: [
        {},
        { parameters: { state: ["a", "b"], scope: null } },
        { privateKeys: [] },
        { claims: { nothing: {} } },
        { privateKeys: [{}] },
      ],
      member: (lab, { segment, body }) => lab.replay(readRequestNumber(segment), body),
    },
  },
};
