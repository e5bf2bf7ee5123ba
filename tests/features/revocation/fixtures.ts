import type { FeatureFixtures } from "../../support/feature_fixtures.ts";
import { web } from "../../support/flow_kit.ts";

export const revocationFixtures: FeatureFixtures = {
  name: "revocation",
  clientEndpoints: ["revoke"],
  paths: { revoke: "/oauth/revoke" },
  endpointFields: { revocation_endpoint: "revoke" },
  flows: {
    async "revocation"(kit, password) {
      const { refresh_token } = await kit.tokens({ scope: "openid" }, { password });
      return (await kit.revoke(refresh_token)).status;
    },
  },
  presentedCredentials: {
    async "a refresh token to revoke, by another client"(kit, code) {
      const { body } = await kit.redeem(code);
      await kit.revoke(body.refresh_token, {}, web);
    },
  },
  storeCalls: {
    "revoking an access token": ["put", (kit, { access_token }) => kit.revoke(access_token)],
    "revoking a refresh token": ["delete", (kit, { refresh_token }) => kit.revoke(refresh_token)],
  },
};
