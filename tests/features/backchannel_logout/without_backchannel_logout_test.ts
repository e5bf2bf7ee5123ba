import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { logoutDeliveries } from "../../../src/server/features/backchannel_logout/logout_deliveries.ts";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import { signedIn, whoIsSignedIn } from "../../support/logout.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";

const redirectUris = ["https://hallpass.test/authorized"];
const app = { id: "app", redirectUris, backchannelLogoutUri: "https://app.example/logout" };

/** Opens both servers, of which the whole one knows a client that cannot be notified. */
function openKits() {
  const fetched: string[] = [];
  const fetch = (url: string) => {
    fetched.push(url);
    return Promise.resolve(new Response(null, { status: 503 }));
  };
  return { fetched, ...openWithAndWithout("back-channel logout", { fetch }) };
}

describe("A server without back-channel logout, on the store of one that had it", () => {
  it("ends sessions, and sends no logout token that still waits for another attempt", async () => {
    const { whole, without, fetched } = openKits();
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

  it("knows no stored client that wants to be notified", async () => {
    const { whole, without } = openKits();
    await addClient(whole.server.context, app);
    assertEquals((await findClient(whole.server.context, app.id))?.id, app.id);
    assertEquals(await findClient(without.server.context, app.id), undefined);
  });
});
