import { logoutTexts } from "../../../src/server/features/logout/texts.ts";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";

export const logoutFixtures: FeatureFixtures = {
  name: "logout",
  texts: logoutTexts,
  formPaths: ["/oauth2/logout"],
  paths: { logout: "/v2/logout" },
  endpointFields: { end_session_endpoint: "logout" },
};
