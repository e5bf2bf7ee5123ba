import { assertEquals } from "@std/assert";
import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import { makeClientKey, seconds } from "../../support/client_key.ts";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";
import { openKit, service } from "../../support/kit.ts";
import { demoIdJag } from "./assertions.ts";

export const assertionFixtures: FeatureFixtures = {
  name: "assertions",
  grants: {
    async [jwtBearerGrantType]() {
      const key = await makeClientKey("ES256", "partner");
      const kit = openKit({
        trustedIssuers: [{
          issuer: "https://partner.example",
          jwks: { keys: [key.publicJwk] },
          clients: ["demo-service"],
        }],
      });
      const claims = {
        iss: "https://partner.example",
        sub: "alice",
        aud: kit.issuer,
        exp: seconds(kit) + 60,
        iat: seconds(kit),
        jti: "1",
      };
      return (await kit.token(
        { grant_type: jwtBearerGrantType, assertion: await key.sign(claims), scope: "read" },
        service,
      )).body;
    },
  },
  metadata: {
    async authorization_grant_profiles_supported() {
      const kit = openKit();
      const assertion = await demoIdJag(kit);
      const fields = { grant_type: jwtBearerGrantType, assertion, scope: "read" };
      assertEquals((await kit.token(fields, service)).status, 200);
    },
  },
};
