import { assertEquals, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import { signedIn } from "../../support/logout.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";

const feature = "front-channel logout";
const redirectUris = ["https://hallpass.test/authorized"];
const app = { id: "app", redirectUris, frontchannelLogoutUri: "https://hallpass.test/out" };

describe("A server without front-channel logout, on the store of one that had it", () => {
  it("loads no page of a client after a sign-out", async () => {
    const { whole, without } = openWithAndWithout(feature);
    await addClient(whole.server.context, app);
    const { browser: before } = await signedIn(whole, { scope: "openid", client_id: app.id });
    const after = without.browser();
    for (const [name, value] of before.cookies) after.cookies.set(name, value);
    const page = await after.submit(await after.open(`${without.issuer}/`), "sign-out");
    assertNotMatch(page.html, /<iframe/);
  });

  it("knows no stored client that has such a page", async () => {
    const { whole, without } = openWithAndWithout(feature);
    await addClient(whole.server.context, app);
    assertEquals((await findClient(whole.server.context, app.id))?.id, app.id);
    assertEquals(await findClient(without.server.context, app.id), undefined);
  });
});
