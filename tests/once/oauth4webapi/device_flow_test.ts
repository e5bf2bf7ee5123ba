import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { answerDevice } from "../../support/device.ts";
import { openKit } from "../../support/kit.ts";
import { doorOf, openLibrary } from "./library_login.ts";

/** A device that is programmed with oauth4webapi. */
async function openDevice() {
  const kit = openKit();
  const clockSkew = Math.round((kit.clock.now - Date.now()) / 1000);
  const client = { client_id: "demo-cli", [oauth.clockSkew]: clockSkew };
  const { beginDevice, pollDevice } = await openLibrary(doorOf(kit), { client });
  const refusal = async (code: string) =>
    await assertRejects(() => pollDevice(code), oauth.ResponseBodyError) as oauth.ResponseBodyError;
  return { kit, begin: (scope: string) => beginDevice({ scope }), poll: pollDevice, refusal };
}

describe("A device of oauth4webapi (RFC 8628)", () => {
  it("waits for its person, and gets tokens of all kinds", async () => {
    const { kit, begin, poll, refusal } = await openDevice();
    const { device_code, user_code, interval } = await begin("openid profile offline_access");
    assertEquals((await refusal(device_code)).error, "authorization_pending");
    kit.clock.advance(interval!);
    await answerDevice(kit, user_code, { user: "bob" });
    const tokens = await poll(device_code);
    assertEquals(oauth.getValidatedIdTokenClaims(tokens)?.sub, "bob");
    assertEquals(tokens.scope, "openid profile offline_access");
    assertEquals(typeof tokens.refresh_token, "string");
  });

  it("is told when its person says no", async () => {
    const { kit, begin, refusal } = await openDevice();
    const { device_code, user_code } = await begin("read");
    await answerDevice(kit, user_code, { decision: "deny" });
    const denied = await refusal(device_code);
    assertEquals([denied.error, denied.status], ["access_denied", 400]);
  });
});
