import type { ClientConfig } from "../../../src/server/features.ts";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";
import { basic, service } from "../../support/flow_kit.ts";

const secret = "a-secret-of-the-introspecting-client-with-54-characters";

/** A client that gets opaque tokens, and introspects them. */
const introspecting: ClientConfig = { id: "introspecting", secret, accessTokenFormat: "opaque" };
const asIntrospecting = basic(introspecting.id, secret);

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
  clients: [introspecting],
  flows: {
    async "introspection of an opaque token"(kit) {
      const fields = { grant_type: "client_credentials" };
      const { access_token } = (await kit.token(fields, asIntrospecting)).body;
      return (await kit.introspect(access_token, {}, asIntrospecting)).status;
    },
  },
  storeCalls: {
    "introspecting": ["get", (kit, { access_token }) => kit.introspect(access_token, {}, service)],
  },
};
