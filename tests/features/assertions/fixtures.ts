import { assertEquals } from "@std/assert";
import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";
import { openKit, service } from "../../support/kit.ts";
import { demoIdJag } from "./assertions.ts";

export const assertionFixtures: FeatureFixtures = {
  name: "assertions",
  grants: {
    async [jwtBearerGrantType](kit) {
      const assertion = await demoIdJag(kit);
      const fields = { grant_type: jwtBearerGrantType, assertion, scope: "read" };
      return (await kit.token(fields, service)).body;
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
