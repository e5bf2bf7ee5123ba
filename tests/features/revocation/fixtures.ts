import type { FeatureFixtures } from "../../support/feature_fixtures.ts";

export const revocationFixtures: FeatureFixtures = {
  name: "revocation",
  clientEndpoints: ["revoke"],
  paths: { revoke: "/oauth/revoke" },
  endpointFields: { revocation_endpoint: "revoke" },
};
