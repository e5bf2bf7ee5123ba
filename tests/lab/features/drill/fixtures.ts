import type { Lab } from "../../../../src/lab/lab.ts";
import type { LabFixtures } from "../../../support/lab_fixtures.ts";
import { apiDrillInputs } from "../api_drill/inputs.ts";

const application = "http://localhost:3000/";

/** What `POST /drill` may run in place of a login. */
interface OtherInputs {
  member: string;
  bodies: readonly object[];
  run(lab: Lab, value: unknown): Promise<unknown>;
}

const others: readonly OtherInputs[] = [
  apiDrillInputs,
];

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
        ...others.flatMap(({ bodies }) => bodies),
      ],
      member(lab, { body }) {
        const other = others.find(({ member }) => member in body);
        if (other) return other.run(lab, body[other.member]);
        const { only, mcp, tenant, ...login } = body;
        return mcp ? lab.drillMcp(login, only, { tenant }) : lab.drill(login, only);
      },
    },
    "GET /drill": { member: (lab) => lab.drillProgress() },
    "DELETE /drill": { member: (lab) => lab.drillProgress() },
  },
  use: (lab) => lab.drill({ start: application }).catch(() => {}),
  stateOf: (lab) => lab.drillProgress(),
};
