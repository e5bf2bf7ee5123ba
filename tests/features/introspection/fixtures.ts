import type { FeatureFixtures } from "../../support/feature_fixtures.ts";
import { service } from "../../support/flow_kit.ts";

export const introspectionFixtures: FeatureFixtures = {
  name: "introspection",
  clientEndpoints: ["introspect"],
  paths: { introspect: "/oauth/introspect/" },
  endpointFields: { introspection_endpoint: "introspect" },
  presentedCredentials: {
    async "an access token to introspect"(kit, code) {
      const { body } = await kit.redeem(code);
      await kit.introspect(body.access_token, {}, service);
    },
  },
  storeCalls: {
    "introspecting": [
      "get",
      (kit, { access_token }) => kit.introspect(access_token, {}, service),
    ],
  },
};
