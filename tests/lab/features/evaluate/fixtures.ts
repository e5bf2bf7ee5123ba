import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const evaluateFixtures: LabFixtures = {
  operations: {
    "POST /evaluate": {
      bodies: [
        { user: "alice", client: "demo-spa", scope: "openid email" },
        { user: "alice", client: "demo-spa", scope: "vault" },
        { user: "mallory" },
      ],
      random: /(?<="(jti|nonce|sid|at_hash|body)":").*?[^\\](?=")/g,
      member: (lab, { body }) => lab.evaluate(body),
    },
  },
};
