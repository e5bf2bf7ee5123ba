import type { FeatureFixtures } from "../../support/feature_fixtures.ts";

export const parFixtures: FeatureFixtures = {
  name: "pushed authorization requests",
  clientEndpoints: ["par"],
  paths: { par: "/oauth/par" },
  otherClients: [{
    id: "pushing",
    redirectUris: ["https://hallpass.test/authorized"],
    requirePar: true,
  }],
  endpointFields: { pushed_authorization_request_endpoint: "par" },
};
