import type { FeatureFixtures } from "../../support/feature_fixtures.ts";

export const introspectionFixtures: FeatureFixtures = {
  name: "introspection",
  clientEndpoints: ["introspect"],
  paths: { introspect: "/oauth/introspect/" },
  endpointFields: { introspection_endpoint: "introspect" },
};
