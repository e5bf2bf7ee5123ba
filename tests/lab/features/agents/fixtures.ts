import { registerClient } from "../../../../src/lab/features/agents/register_client.ts";
import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const agentFixtures: LabFixtures = {
  operations: {
    "POST /register-client": {
      bodies: [
        { id: "notes", kind: "machine" },
        { id: "demo-web", redirectUris: ["http://localhost:3000/callback"] },
        { id: "notes", redirectUris: ["javascript:1"] },
      ],
      random: /(?<="clientSecret":")[^"]*/g,
      member: (lab, { body }) => registerClient(lab, body),
    },
  },
};
