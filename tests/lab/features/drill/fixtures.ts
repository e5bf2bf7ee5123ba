import type { LabFixtures } from "../../../support/lab_fixtures.ts";

const application = "http://localhost:3000/";

export const drillFixtures: LabFixtures = {
  operations: {
    "POST /drill": {
      bodies: [
        { start: "https://app.example/" },
        { start: "/login" },
        { start: application, user: "nobody" },
        { start: application, only: ["mcp.unlisted_scope"] },
        { start: application, only: ["id_token.wrong_aud"], mcp: true },
        { start: application, mcp: true, tenant: "nobody" },
      ],
      member: (lab, { body: { only, mcp, tenant, ...login } }) =>
        mcp ? lab.drillMcp(login, only, { tenant }) : lab.drill(login, only),
    },
    "GET /drill": { member: (lab) => lab.drillProgress() },
  },
  use: (lab) => lab.drill({ start: application }).catch(() => {}),
  stateOf: (lab) => lab.drillProgress(),
};
