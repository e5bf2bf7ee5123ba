import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const mtlsFixtures: LabFixtures = {
  operations: {
    "POST /certificates/:client": {
      segments: ["web", "a,b"],
      random: /(?<=":\s*\[?")[^"]{30,}(?=")/g,
      async member(lab, { segment }) {
        const { fetch: _, ...certificate } = await lab.certificate(segment);
        return certificate;
      },
    },
  },
};
