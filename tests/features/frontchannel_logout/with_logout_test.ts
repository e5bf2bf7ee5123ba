import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { isSignedIn, logOut, openSignedIn } from "../../conformance/logout_suite.ts";
import { openSuite, registrations } from "../../conformance/suite.ts";
import { unescape } from "../../support/browser.ts";
import { claimsOf, read } from "../../support/flow_kit.ts";

const frontchannelUri = "https://suite.example/frontchannel_logout";

for (const registration of registrations) {
  describe(`oidcc-frontchannel-rp-initiated-logout-certification-test-plan, as a ${registration} client`, () => {
    it("oidcc-frontchannel-logout-discovery-endpoint-verification: the metadata offers it", async () => {
      const { kit } = await openSuite({ registration });
      const { body } = await read(await kit.get("/.well-known/openid-configuration"));
      assertEquals(body.frontchannel_logout_supported, true);
      assertEquals(body.frontchannel_logout_session_supported, true);
    });

    it("oidcc-frontchannel-rp-initiated-logout: loads the client's URI with iss and sid, then redirects", async () => {
      const suite = await openSignedIn(registration, { frontchannelLogoutUri: frontchannelUri });
      const { html } = await logOut(suite);
      const frame = new URL(unescape(/<iframe src="([^"]*)"/.exec(html)?.[1] ?? ""));
      assertEquals(frame.origin + frame.pathname, frontchannelUri);
      assertEquals(frame.searchParams.get("iss"), suite.kit.issuer);
      assertEquals(frame.searchParams.get("sid"), claimsOf(suite.idToken).sid);
      assertMatch(
        html,
        /<a id="continue" class="button" href="[^"]*\?state=a-state">Continue to <bdi>/,
      );
      assertEquals(await isSignedIn(suite), false);
    });
  });
}
