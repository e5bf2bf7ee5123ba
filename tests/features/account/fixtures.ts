import { accountTexts } from "../../../src/server/features/account/texts.ts";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";

export const accountFixtures: FeatureFixtures = {
  name: "account pages",
  texts: accountTexts,
  formPaths: ["/account/sign-in"],
  signedInFormPaths: ["/account/remove"],
};
