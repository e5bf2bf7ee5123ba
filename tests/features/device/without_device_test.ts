import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { textOf } from "../../support/browser.ts";
import { beginDevice, deviceGrant, pollDevice, typeCode } from "../../support/device.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";

/** Opens two servers on one store: one with every feature, and one without the device flow. */
function openKits() {
  const client = { id: "demo-cli", redirectUris: ["http://127.0.0.1/cb"], native: true };
  const allowing = (grantTypes: string[]) => ({ grantTypes, clients: [{ ...client, grantTypes }] });
  const grants = ["authorization_code", "refresh_token"];
  return openWithAndWithout("device flow", allowing(grants), allowing([...grants, deviceGrant]));
}

describe("A server without the device flow, on the store of one that had it", () => {
  it("redeems no device code", async () => {
    const { whole, without } = openKits();
    const { body: { device_code } } = await beginDevice(whole, { scope: "openid profile" });
    assertEquals((await pollDevice(without, device_code)).body.error, "unsupported_grant_type");
  });

  it("ends no request of a device that was begun: its user is told to start again", async () => {
    const { whole, without } = openKits();
    const { body: { user_code } } = await beginDevice(whole, { scope: "openid profile" });
    const browser = whole.browser();
    const { url } = await typeCode(whole, browser, user_code);
    const response = await without.browser(browser).request(url);
    assertEquals(response.status, 400);
    assertMatch(textOf(await response.text()), /start again/i);
  });
});
