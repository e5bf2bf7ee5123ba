import { deviceTexts } from "../../../src/server/features/device/texts.ts";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";

export const deviceFixtures: FeatureFixtures = {
  name: "device flow",
  texts: deviceTexts,
};
