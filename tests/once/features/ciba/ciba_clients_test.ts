import { AuthClient } from "@auth0/auth0-auth-js";
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as client from "openid-client";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";

const [clientId, clientSecret] = ["demo-agent", "demo-agent-secret"];

/** Opens a lab whose clients hardly wait before a poll, in real time. */
async function openLab(): Promise<TestLab> {
  const lab = await hallpass({ issuer: "https://shop.example" });
  lab.fault("ciba.changed", { set: { interval: 0.001 } });
  return lab;
}

async function discover(lab: TestLab): Promise<client.Configuration> {
  const options = { [client.customFetch]: lab.fetch };
  return await client.discovery(new URL(lab.issuer), clientId, clientSecret, undefined, options);
}

describe("Client-initiated backchannel authentication with openid-client", () => {
  const parameters = { scope: "openid email", login_hint: "alice", binding_message: "W4SCT" };

  it("gets tokens once the user has allowed the request", async () => {
    await using lab = await openLab();
    const config = await discover(lab);
    const begun = await client.initiateBackchannelAuthentication(config, parameters);
    await lab.approve("alice");
    const tokens = await client.pollBackchannelAuthenticationGrant(config, begun);
    assertEquals(tokens.claims()?.sub, "alice");
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    assertEquals(refreshed.claims()?.sub, "alice");
    lab.assertClean();
  });

  const errors: Record<string, (lab: TestLab) => unknown> = {
    access_denied: (lab) => lab.approve("alice", { deny: true }),
    expired_token: (lab) => lab.clock.advance("5m"),
  };
  for (const [error, act] of Object.entries(errors)) {
    it(`learns of ${error}`, async () => {
      await using lab = await openLab();
      const config = await discover(lab);
      const begun = await client.initiateBackchannelAuthentication(config, parameters);
      await act(lab);
      const failed = await assertRejects(() =>
        client.pollBackchannelAuthenticationGrant(config, begun)
      );
      assertEquals((failed as client.ResponseBodyError).error, error);
    });
  }

  it("learns why a request is refused", async () => {
    await using lab = await openLab();
    const config = await discover(lab);
    const unknown = { ...parameters, login_hint: "nobody" };
    const failed = await assertRejects(() =>
      client.initiateBackchannelAuthentication(config, unknown)
    );
    assertEquals((failed as client.ResponseBodyError).error, "unknown_user_id");
  });
});

describe("Client-initiated backchannel authentication with Auth0's SDK", () => {
  it("names the user by the issuer and the sub, and gets tokens", async () => {
    await using lab = await openLab();
    using _ = lab.intercept();
    const auth0 = new AuthClient({ domain: "shop.example", clientId, clientSecret });
    await lab.approve("alice");
    const tokens = await auth0.backchannelAuthentication({
      bindingMessage: "W4SCT",
      loginHint: { sub: "alice" },
    });
    assertEquals(tokens.claims?.sub, "alice");
    lab.assertClean();
  });
});
