import { documentTables } from "../../../src/server/features/documents/stored_documents.ts";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";

export const documentFixtures: FeatureFixtures = {
  name: "metadata documents",
  unreadableRows: {
    "a client whose document has no list of secrets": {
      table: (ctx) => documentTables(ctx).clients,
      value: { id: "app", authentication: ["client_secret_basic"], scopes: ["read"] },
    },
  },
};
