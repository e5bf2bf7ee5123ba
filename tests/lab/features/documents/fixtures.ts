import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const documentFixtures: LabFixtures = {
  operations: {
    "POST /client-documents": {
      bodies: [
        { client_name: "Notes", redirect_uris: ["http://localhost:3000/callback"] },
        { client_id: "https://app.example/client.json" },
        { client_id: "http://10.0.0.1/a" },
      ],
      member: (lab, { body }) => lab.clientDocument(body),
    },
    "GET /client-documents": { member: (lab) => lab.documents.list() },
    "DELETE /client-documents/:id": {
      segments: ["2", "3"],
      member: (lab, { segment }) => lab.documents.remove(segment),
    },
  },
  use: (lab) => {
    lab.clientDocument({ client_name: "Notes" });
    lab.clientDocument({ client_name: "Mail" });
  },
  stateOf: (lab) => lab.documents.list(),
};
