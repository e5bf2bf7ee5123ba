import { assertEquals } from "@std/assert";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";
import { openPublishing } from "./published_requests.ts";

export const requestUriFixtures: FeatureFixtures = {
  name: "request objects by reference",
  metadata: {
    async require_request_uri_registration(isRequired) {
      assertEquals(`${isRequired}`, "true");
      const { publishObject, authorize } = openPublishing();
      await publishObject();
      assertEquals((await authorize()).has("code"), true);
    },
  },
};
