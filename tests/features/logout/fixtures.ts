import { logoutTexts } from "../../../src/server/features/logout/texts.ts";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";

export const logoutFixtures: FeatureFixtures = {
  name: "logout",
  texts: logoutTexts,
};
