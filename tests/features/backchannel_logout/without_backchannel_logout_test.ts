import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { logoutDeliveries } from "../../../src/server/features/backchannel_logout/logout_deliveries.ts";
import { signedIn, whoIsSignedIn } from "../../support/logout.ts";
import { itKnowsNoClient, openWithAndWithout } from "../../support/without_feature.ts";

const feature = "back-channel logout";
const notified = { backchannelLogoutUri: "https://app.example/logout" };
const app = { id: "app", redirectUris: ["https://hallpass.test/authorized"], ...notified };

describe("A server without back-channel logout, on the store of one that had it", () => {
  it("ends sessions, and sends no logout token that still waits for another attempt", async () => {
    const fetched: string[] = [];
    const fetch = async (url: string) => (fetched.push(url), new Response(null, { status: 503 }));
    const { whole, without } = openWithAndWithout(feature, { fetch });
    await addClient(whole.server.context, app);
    const { browser } = await signedIn(whole, { scope: "openid", client_id: app.id });
    await browser.submit(await browser.open(`${whole.issuer}/`), "sign-out");
    await whole.server.context.background.idle();
    assertEquals(fetched.length, 1);
    without.clock.advance(60);
    const other = await signedIn(without, { scope: "openid" });
    await other.browser.submit(await other.browser.open(`${without.issuer}/`), "sign-out");
    await without.server.context.background.idle();
    assertEquals(await whoIsSignedIn(without, other.browser), undefined);
    assertEquals(fetched.length, 1);
    assertEquals((await logoutDeliveries(whole.server.context).list()).length, 1);
  });

  itKnowsNoClient("wants to be notified", notified, feature);
});
