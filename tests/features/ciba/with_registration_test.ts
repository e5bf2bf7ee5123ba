import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { answerCiba, beginCiba, cibaGrant, pollCiba } from "../../support/ciba.ts";
import { basic, openKit } from "../../support/kit.ts";
import { initialAccessToken, register } from "../../support/registration.ts";

const metadata = {
  redirect_uris: undefined,
  token_endpoint_auth_method: "client_secret_basic",
  grant_types: [cibaGrant],
  scope: "openid",
  backchannel_token_delivery_mode: "ping",
  backchannel_client_notification_endpoint: "https://agent.example/ping",
};

describe("Clients that registered themselves for CIBA (CIBA, section 4)", () => {
  it("C19 ask users, and get their pings through the guarded fetch", async () => {
    const sent: string[] = [];
    const kit = openKit({
      registration: { initialAccessToken },
      fetch: () => Promise.reject(new Error("The guarded fetch must send it.")),
      fetchUntrusted: (url) => {
        sent.push(url);
        return Promise.resolve(new Response(null, { status: 204 }));
      },
    });
    const { body: client } = await register(kit, metadata, initialAccessToken);
    const { backchannel_token_delivery_mode } = client as Record<string, unknown>;
    assertEquals(backchannel_token_delivery_mode, "ping");
    const headers = basic(client.client_id, client.client_secret);
    const begun = await beginCiba(kit, {
      scope: "openid",
      client_notification_token: "8d67dc78-7faa-4d41-aabd-67707b374255",
    }, headers);
    await answerCiba(kit);
    await kit.server.context.background.idle();
    assertEquals(sent, ["https://agent.example/ping"]);
    assertEquals((await pollCiba(kit, begun.body.auth_req_id, {}, headers)).status, 200);
  });

  it("C19 need the operator's trust: open registration gives nobody the right to ask people", async () => {
    const { body } = await register(openKit({ registration: "open" }), metadata);
    assertEquals(body.error, "invalid_client_metadata");
  });

  const invalid: Record<string, [change: object, words: string]> = {
    "push": [{ backchannel_token_delivery_mode: "push" }, "backchannel_token_delivery_mode"],
    "http": [
      { backchannel_client_notification_endpoint: "http://agent.example/ping" },
      "backchannel_client_notification_endpoint",
    ],
    "no endpoint": [
      { backchannel_client_notification_endpoint: undefined },
      "backchannel_client_notification_endpoint",
    ],
    "an algorithm without a signature": [
      { backchannel_authentication_request_signing_alg: "none" },
      "backchannel_authentication_request_signing_alg",
    ],
    "user codes, which the server does not have": [
      { backchannel_user_code_parameter: true },
      "backchannel_user_code_parameter",
    ],
    "pairwise subjects": [{ subject_type: "pairwise" }, "subject_type"],
  };
  for (const [what, [change, words]] of Object.entries(invalid)) {
    it(`C19 are refused with ${what}`, async () => {
      const kit = openKit({ registration: { initialAccessToken } });
      const { status, body } = await register(kit, { ...metadata, ...change }, initialAccessToken);
      assertEquals([status, body.error_description?.includes(`'${words}'`)], [400, true]);
    });
  }
});
