import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { answerDevice } from "../../support/device.ts";
import { openKit } from "../../support/kit.ts";

const client: oauth.Client = { client_id: "demo-cli" };

/** A device that is programmed with oauth4webapi. */
function openDevice() {
  const kit = openKit();
  const as = kit.server.context.metadata() as oauth.AuthorizationServer;
  const http = {
    [oauth.customFetch]: (url: string, init: RequestInit) =>
      kit.server.fetch(new Request(url, init)),
  };
  const inTime = { ...client, [oauth.clockSkew]: Math.round((kit.clock.now - Date.now()) / 1000) };
  return {
    kit,
    begin: async (scope: string) => {
      const response = await oauth.deviceAuthorizationRequest(
        as,
        client,
        oauth.None(),
        { scope },
        http,
      );
      return await oauth.processDeviceAuthorizationResponse(as, client, response);
    },
    poll: async (deviceCode: string) => {
      const response = await oauth.deviceCodeGrantRequest(
        as,
        client,
        oauth.None(),
        deviceCode,
        http,
      );
      return await oauth.processDeviceCodeResponse(as, inTime, response);
    },
  };
}

describe("A device of oauth4webapi (RFC 8628)", () => {
  it("waits for its person, and gets tokens of all kinds", async () => {
    const { kit, begin, poll } = openDevice();
    const { device_code, user_code, interval } = await begin("openid profile offline_access");
    const pending = await assertRejects(
      () => poll(device_code),
      oauth.ResponseBodyError,
    ) as oauth.ResponseBodyError;
    assertEquals(pending.error, "authorization_pending");
    kit.clock.advance(interval!);
    await answerDevice(kit, user_code, { user: "bob" });
    const tokens = await poll(device_code);
    assertEquals(oauth.getValidatedIdTokenClaims(tokens)?.sub, "bob");
    assertEquals(tokens.scope, "openid profile offline_access");
    assertEquals(typeof tokens.refresh_token, "string");
  });

  it("is told when its person says no", async () => {
    const { kit, begin, poll } = openDevice();
    const { device_code, user_code } = await begin("read");
    await answerDevice(kit, user_code, { decision: "deny" });
    const denied = await assertRejects(
      () => poll(device_code),
      oauth.ResponseBodyError,
    ) as oauth.ResponseBodyError;
    assertEquals([denied.error, denied.status], ["access_denied", 400]);
  });
});
