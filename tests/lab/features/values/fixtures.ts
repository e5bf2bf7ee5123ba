import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const valueFixtures: LabFixtures = {
  operations: {
    "POST /values": {
      bodies: [
        { code: ["one", "two"], state: "s" },
        { code: "abc", client: "demo-spa", times: 1 },
        { cod: "abc" },
        { code: "" },
      ],
      member: (lab, { body }) => lab.values(body),
    },
    "GET /values": { member: (lab) => lab.chosenValues.list() },
    "DELETE /values": { member: (lab) => lab.chosenValues.removeAll() },
  },
  use: (lab) => lab.values({ code: ["one", "two"], client: "web" }),
  stateOf: (lab) => lab.chosenValues.list(),
};
