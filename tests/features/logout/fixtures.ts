import { logoutTexts } from "../../../src/server/features/logout/logout.ts";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";
import { logoutUrl } from "../../support/logout.ts";

export const logoutFixtures: FeatureFixtures = {
  name: "logout",
  texts: logoutTexts,
  formPaths: ["/oauth2/logout"],
  paths: { logout: "/v2/logout" },
  endpointFields: { end_session_endpoint: "logout" },
  takesPart: { postLogoutRedirectUris: ["https://hallpass.test/"] },
  pages: {
    signOut: { open: (kit, browser) => browser.open(logoutUrl(kit)) },
    signedOut: {
      open: (kit, { language }) => Object.assign(kit.browser(), { language }).open(logoutUrl(kit)),
    },
  },
  flows: {
    async "a logout request"(kit, password) {
      const { id_token: id_token_hint } = await kit.tokens({ scope: "openid" }, { password });
      return (await kit.browser().open(logoutUrl(kit, { id_token_hint }))).status;
    },
  },
  idTokenPlaces: {
    "id_token_hint at the logout endpoint": async (kit, id_token_hint) =>
      (await kit.server.fetch(new Request(logoutUrl(kit, { id_token_hint })))).status !== 400,
  },
};
