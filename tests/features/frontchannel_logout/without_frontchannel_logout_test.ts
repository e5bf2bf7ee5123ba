import { assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { signedIn } from "../../support/logout.ts";
import { itKnowsNoClient, openWithAndWithout } from "../../support/without_feature.ts";

const feature = "front-channel logout";
const redirectUris = ["https://hallpass.test/authorized"];
const frontchannelLogoutUri = "https://hallpass.test/out";
const app = { id: "app", redirectUris, frontchannelLogoutUri };

describe("A server without front-channel logout, on the store of one that had it", () => {
  it("loads no page of a client after a sign-out", async () => {
    const { whole, without } = openWithAndWithout(feature);
    await addClient(whole.server.context, app);
    const { browser: before } = await signedIn(whole, { scope: "openid", client_id: app.id });
    const after = without.browser(before);
    const page = await after.submit(await after.open(`${without.issuer}/`), "sign-out");
    assertNotMatch(page.html, /<iframe/);
  });

  itKnowsNoClient("has such a page", { redirectUris, frontchannelLogoutUri }, feature);
});
