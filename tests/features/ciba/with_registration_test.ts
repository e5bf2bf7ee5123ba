import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { beginCiba, cibaGrant, openRequest, pingToken, receivePings } from "../../support/ciba.ts";
import { basic, openKit } from "../../support/kit.ts";
import { initialAccessToken, register } from "../../support/registration.ts";

const endpoint = "https://agent.example/ping";
const metadata = {
  redirect_uris: undefined,
  token_endpoint_auth_method: "client_secret_basic",
  grant_types: [cibaGrant],
  scope: "openid",
  backchannel_token_delivery_mode: "ping",
  backchannel_client_notification_endpoint: endpoint,
};

describe("Clients that registered themselves for CIBA (CIBA, section 4)", () => {
  it("C19 ask users, and get their pings through the guarded fetch", async () => {
    const { pings, fetch } = receivePings();
    const kit = openKit({
      registration: { initialAccessToken },
      fetch: () => Promise.reject(new Error("The guarded fetch must send it.")),
      fetchUntrusted: fetch,
    });
    const { body: client } = await register(kit, metadata, initialAccessToken);
    const { backchannel_token_delivery_mode } = client as Record<string, unknown>;
    assertEquals(backchannel_token_delivery_mode, "ping");
    const headers = basic(client.client_id, client.client_secret);
    const { answer, poll } = await openRequest(kit, { scope: "openid", ...pingToken }, headers);
    await answer();
    await kit.server.context.background.idle();
    assertEquals(pings.map(({ url }) => url), [endpoint]);
    assertEquals((await poll()).status, 200);
  });

  it("M8: are charged for what they make the server store", async () => {
    const kit = openKit({ registration: { initialAccessToken }, storedBytesPerMinute: 300 });
    kit.address = "203.0.113.1";
    const { client_id, client_secret } = (await register(kit, metadata, initialAccessToken)).body;
    const fields = { scope: "openid", ...pingToken };
    assertEquals((await beginCiba(kit, fields, basic(client_id, client_secret))).status, 429);
  });

  it("C19 need the operator's trust: open registration gives nobody the right to ask people", async () => {
    const { body } = await register(openKit({ registration: "open" }), metadata);
    assertEquals(body.error, "invalid_client_metadata");
  });

  const invalid: Record<string, object> = {
    "push": { backchannel_token_delivery_mode: "push" },
    "http": { backchannel_client_notification_endpoint: "http://agent.example/ping" },
    "no endpoint": { backchannel_client_notification_endpoint: undefined },
    "an algorithm without a signature": { backchannel_authentication_request_signing_alg: "none" },
    "user codes, which the server does not have": { backchannel_user_code_parameter: true },
    "pairwise subjects": { subject_type: "pairwise" },
  };
  for (const [what, change] of Object.entries(invalid)) {
    it(`C19 are refused with ${what}`, async () => {
      const kit = openKit({ registration: { initialAccessToken } });
      const { status, body } = await register(kit, { ...metadata, ...change }, initialAccessToken);
      const [name] = Object.keys(change);
      assertEquals([status, body.error_description?.includes(`'${name}'`)], [400, true]);
    });
  }
});
