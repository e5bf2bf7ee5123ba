import { passkeyTexts } from "../../../src/server/features/passkeys/config.ts";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";

export const passkeyFixtures: FeatureFixtures = {
  name: "passkeys",
  texts: passkeyTexts,
};
