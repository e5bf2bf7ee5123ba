import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { demoUsers } from "../../../src/lab/demo/demo_users.ts";
import { publicPasswords } from "../../../src/lab/sign_in/one_click.ts";
import { makeTestKey } from "../../../src/lab/tokens/test_keys.ts";
import { features } from "../../../src/server/features.ts";
import { memoryStore } from "../../../src/server/mod.ts";
import { createInternalServer } from "../../../src/server/server.ts";
import { textOf } from "../../support/browser.ts";
import { beginDevice, deviceGrant, pollDevice, typeCode } from "../../support/device.ts";
import { createKit, kitParts } from "../../support/flow_kit.ts";

const client = { id: "demo-cli", redirectUris: ["http://127.0.0.1/cb"], native: true };

/** Opens two servers on one store: one with every feature, and one without the device flow. */
function openKits() {
  const store = memoryStore();
  const policies = { passwords: publicPasswords, makeKey: makeTestKey };
  const open = (names: (name: string) => boolean, grantTypes: string[]) => {
    const parts = kitParts();
    const config = { ...parts.config, users: demoUsers, policies, store, grantTypes };
    const clients = [{ ...client, grantTypes }];
    const chosen = features.filter(({ name, needs = [] }) =>
      names(name) && needs.every((each) => names(each.name))
    );
    return createKit(createInternalServer({ ...config, clients }, chosen), parts);
  };
  const grants = ["authorization_code", "refresh_token"];
  const whole = open(() => true, [...grants, deviceGrant]);
  return { whole, without: open((name) => name !== "device flow", grants) };
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
    const [before, after] = [whole.browser(), without.browser()];
    const { url } = await typeCode(whole, before, user_code);
    for (const [name, value] of before.cookies) after.cookies.set(name, value);
    const response = await after.request(url);
    assertEquals(response.status, 400);
    assertMatch(textOf(await response.text()), /start again/i);
  });
});
