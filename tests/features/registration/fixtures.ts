import type { FeatureFixtures } from "../../support/feature_fixtures.ts";

export const registrationFixtures: FeatureFixtures = {
  name: "registration",
  suiteClients: ["registered"],
};
