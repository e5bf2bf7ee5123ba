import { assertEquals } from "@std/assert";
import { jwtVerify } from "jose";
import { describe, it } from "node:test";
import { logOut, openSignedIn, returnUri } from "../../conformance/logout_suite.ts";
import { openSuite, registrations } from "../../conformance/suite.ts";
import { claimsOf, read } from "../../support/flow_kit.ts";

const backchannelUri = "https://suite.example/backchannel_logout";

for (const registration of registrations) {
  describe(`oidcc-backchannel-rp-initiated-logout-certification-test-plan, as a ${registration} client`, () => {
    it("oidcc-backchannel-logout-discovery-endpoint-verification: the metadata offers it", async () => {
      const { kit } = await openSuite({ registration });
      const { body } = await read(await kit.get("/.well-known/openid-configuration"));
      assertEquals(body.backchannel_logout_supported, true);
      assertEquals(body.backchannel_logout_session_supported, true);
    });

    it("oidcc-backchannel-rp-initiated-logout: sends a logout token for the session of the ID token", async () => {
      const suite = await openSignedIn(registration, { backchannelLogoutUri: backchannelUri });
      assertEquals((await logOut(suite)).url, `${returnUri}?state=a-state`);
      // Waits for what the server does in the background.
      await suite.kit.server.close();
      const [logout] = suite.received;
      const token = logout?.get("logout_token") ?? "";
      const { payload, protectedHeader } = await jwtVerify(token, await suite.keys(), {
        issuer: suite.kit.issuer,
        audience: suite.clientId,
        currentDate: new Date(suite.kit.clock.now),
      });
      const { sub, sid } = claimsOf(suite.idToken);
      assertEquals([payload.sub, payload.sid, protectedHeader.typ], [sub, sid, "logout+jwt"]);
      assertEquals(payload.events, { "http://schemas.openid.net/event/backchannel-logout": {} });
      assertEquals(["nonce" in payload, typeof payload.jti], [false, "string"]);
    });
  });
}
