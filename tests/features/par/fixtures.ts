import type { FeatureFixtures } from "../../support/feature_fixtures.ts";

export const parFixtures: FeatureFixtures = {
  name: "pushed authorization requests",
  clientEndpoints: ["par"],
  paths: { par: "/oauth/par" },
  endpointFields: { pushed_authorization_request_endpoint: "par" },
};
