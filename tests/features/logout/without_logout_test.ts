import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { logoutParts } from "../../../src/server/features/logout/parts.ts";
import { memoryStore } from "../../../src/server/mod.ts";
import { openStrictKit, spa } from "../../support/kit.ts";
import { logoutUrl, signedIn, whoIsSignedIn } from "../../support/logout.ts";

/** Opens two servers on one store: one with every feature, and one without logout requests. */
function openKits() {
  const config = { store: memoryStore(), clients: [spa()] };
  return { whole: openStrictKit(config), without: openStrictKit(config, "logout") };
}

describe("A server without logout requests, on the store of one that had them", () => {
  it("continues no request that waits for its user, who stays signed in", async () => {
    const { whole, without } = openKits();
    const { browser: before } = await signedIn(whole, { scope: "openid" });
    const { url } = await before.open(logoutUrl(whole));
    assertEquals((await logoutParts(whole.server.context).requests.list()).length, 1);
    const after = without.browser();
    for (const [name, value] of before.cookies) after.cookies.set(name, value);
    assertEquals((await after.request(url)).status, 404);
    assertEquals((await after.request(logoutUrl(without))).status, 404);
    assertEquals(await whoIsSignedIn(without, after), "alice");
  });

  it("still lets its users sign out by themselves", async () => {
    const { without } = openKits();
    const { browser } = await signedIn(without, { scope: "openid" });
    await browser.submit(await browser.open(`${without.issuer}/`), "sign-out");
    assertEquals(await whoIsSignedIn(without, browser), undefined);
  });
});
