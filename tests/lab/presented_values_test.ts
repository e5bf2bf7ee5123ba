import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  findPresentedClient,
  identifyValue,
  isUsable,
} from "../../src/lab/recording/presented_values.ts";
import { findUser } from "../../src/server/issuer/users/users.ts";
import { beginDevice } from "../support/device.ts";
import { type Kit, openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

/** How a value of each kind comes about, and what makes it unusable. */
const lives: Record<string, (kit: Kit) => Promise<[string, () => unknown]>> = {
  async code(kit) {
    const code = await kit.code();
    return [code, () => kit.redeem(code)];
  },
  async "device code"(kit) {
    const { body: { device_code } } = await beginDevice(kit);
    return [device_code, () => kit.clock.advance(24 * 60 * 60)];
  },
  async "access token"(kit) {
    const { body } = await kit.redeem(await kit.code());
    return [body.access_token, () => kit.revoke(body.access_token)];
  },
  async "refresh token"(kit) {
    const { body } = await kit.redeem(await offlineCode(kit));
    return [body.refresh_token, () => kit.revoke(body.refresh_token)];
  },
};

describe("A value that a request presents", () => {
  for (const [kind, live] of Object.entries(lives)) {
    it(`is usable as long as it is an active ${kind}`, async () => {
      const kit = openKit();
      const { context } = kit.server;
      const [value, end] = await live(kit);
      assertEquals(await isUsable(context, { kind, value }), true);
      await end();
      assertEquals(await isUsable(context, { kind, value }), false);
      assertEquals(await isUsable(context, { kind, value: "unknown" }), false);
    });
  }

  it("is identified: a code, an active token with its client, scope and user, or neither", async () => {
    const kit = openKit();
    const { context } = kit.server;
    const code = await offlineCode(kit);
    assertEquals(await identifyValue(context, code), { kind: "code" });
    const { body } = await kit.redeem(code);
    const user = await findUser(context, "alice");
    assertEquals(user?.name, "alice");
    const token = { clientId: "demo-spa", scope: "openid offline_access", user };
    assertEquals(await identifyValue(context, body.access_token), {
      kind: "access token",
      ...token,
    });
    assertEquals(await identifyValue(context, body.refresh_token), {
      kind: "refresh token",
      ...token,
    });
    assertEquals(await identifyValue(context, "unknown"), undefined);
  });

  it("names the client of a device, however the user types the code", async () => {
    const kit = openKit();
    const { context } = kit.server;
    const { body: { user_code } } = await beginDevice(kit);
    const find = (code: string) =>
      findPresentedClient(context, new URLSearchParams({ user_code: code }));
    const client = present(await find(user_code));
    assertEquals(await find(user_code.toLowerCase()), client);
    assertEquals(await find(""), undefined);
    assertEquals(await find("BBBB-BBBB"), undefined);
  });
});

function offlineCode(kit: Kit): Promise<string> {
  return kit.code({ scope: "openid offline_access", prompt: "consent" });
}
