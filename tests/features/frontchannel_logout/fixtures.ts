import { assertEquals, assertMatch } from "@std/assert";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";
import { claimsOf, openKit, spa } from "../../support/kit.ts";
import { signedIn, signOut } from "../../support/logout.ts";

const uri = "https://hallpass.test/logged-out";
const takesPart = { frontchannelLogoutUri: uri };

export const frontchannelLogoutFixtures: FeatureFixtures = {
  name: "front-channel logout",
  takesPart,
  metadata: {
    frontchannel_logout_supported: loadsPageOfClient,
    frontchannel_logout_session_supported: loadsPageOfClient,
  },
};

async function loadsPageOfClient(isSupported: string): Promise<void> {
  assertEquals(`${isSupported}`, "true");
  const kit = openKit({ clients: [spa(takesPart)] });
  const { browser, idToken } = await signedIn(kit, { scope: "openid" });
  const { html } = await signOut(kit, browser);
  assertMatch(html, new RegExp(`<iframe[^>]* src="${uri}[^"]*sid=${claimsOf(idToken).sid}`));
}
