import { assertEquals } from "@std/assert";
import { cibaTexts } from "../../../src/server/features/ciba/config.ts";
import { cibaParts } from "../../../src/server/features/ciba/parts.ts";
import { forever } from "../../../src/server/issuer/records/table.ts";
import {
  agent,
  answerCiba,
  beginCiba,
  cibaClaims,
  cibaGrant,
  pollCiba,
} from "../../support/ciba.ts";
import { makeClientKey } from "../../support/client_key.ts";
import type { FeatureFixtures, HeldCredential, Holder } from "../../support/feature_fixtures.ts";
import { openKit } from "../../support/kit.ts";

const waiting = { id: "b", expiresAt: forever };

export const cibaFixtures: FeatureFixtures = {
  name: "backchannel authentication",
  texts: cibaTexts,
  clientEndpoints: ["backchannel_authentication"],
  signedInFormPaths: ["/account/requests"],
  paths: { backchannelAuthentication: "/oauth/bc-authorize" },
  endpointFields: { backchannel_authentication_endpoint: "backchannelAuthentication" },
  grantTypes: [cibaGrant],
  grants: {
    async [cibaGrant](kit) {
      const { body: { auth_req_id } } = await beginCiba(kit);
      await answerCiba(kit);
      return (await pollCiba(kit, auth_req_id)).body;
    },
  },
  clients: [agent()],
  otherClients: [agent({ id: "other-agent", secret: "other-agent-secret" })],
  flows: {
    async "a request over the back channel"(kit, password) {
      const { body } = await beginCiba(kit);
      await pollCiba(kit, body.auth_req_id);
      await answerCiba(kit, { password });
      kit.clock.advance(10);
      return (await pollCiba(kit, body.auth_req_id)).status;
    },
  },
  credentials: ["auth_req_id"],
  pages: {
    backchannelDone: {
      async open(kit) {
        await beginCiba(kit);
        return await answerCiba(kit);
      },
      isEnglish: true,
    },
  },
  metadata: {
    backchannel_token_delivery_modes_supported: decidesIn,
    backchannel_authentication_request_signing_alg_values_supported: signsWith,
    async backchannel_user_code_parameter_supported(isSupported) {
      const kit = openKit({ clients: [agent()] });
      assertEquals(`${isSupported}`, "false");
      assertEquals((await beginCiba(kit, { user_code: "ignored" })).status, 200);
    },
  },
  held: holdIds,
  unreadableRows: {
    "an auth_req_id that names no client": {
      table: (ctx) => cibaParts(ctx).credentials,
      value: { waiting, clientId: "app" },
    },
    "a backchannel request that names no client": {
      table: (ctx) => cibaParts(ctx).requests,
      value: { clientId: "app", scope: ["read"], resources: [], prompt: [], backchannel: waiting },
    },
  },
};

async function holdIds(
  { kit, browser, user, scope, headers }: Holder,
): Promise<Record<string, HeldCredential>> {
  const fields = { client_id: undefined, scope: `openid ${scope}`, login_hint: user.user };
  const decided = (await beginCiba(kit, fields, headers)).body;
  await answerCiba(kit, user, browser);
  const open = (await beginCiba(kit, fields, headers)).body;
  const poll = async (id: string) => (await pollCiba(kit, id, {}, headers)).body.error;
  return {
    "auth_req_id that waits": {
      endsWith: "application",
      works: async () => await poll(open.auth_req_id) === "authorization_pending",
    },
    "auth_req_id that was allowed": {
      endsWith: "user",
      works: async () => await poll(decided.auth_req_id) === undefined,
    },
  };
}

/** Gets tokens in a delivery mode. */
async function decidesIn(mode: string): Promise<void> {
  const kit = openKit({
    clients: [agent({
      backchannelDeliveryMode: mode,
      backchannelNotificationEndpoint: "https://agent.example/ping",
    })],
    fetch: () => Promise.resolve(new Response(null, { status: 204 })),
  });
  const { body } = await beginCiba(kit, { client_notification_token: "x".repeat(30) });
  await answerCiba(kit);
  await kit.server.context.background.idle();
  assertEquals((await pollCiba(kit, body.auth_req_id)).status, 200);
}

/** Sends a request that is signed with an algorithm. */
async function signsWith(alg: string): Promise<void> {
  const { publicJwk, sign } = await makeClientKey(alg);
  const client = agent({ jwks: { keys: [publicJwk] }, backchannelRequestAlg: alg });
  const kit = openKit({ clients: [client] });
  const request = await sign(cibaClaims(kit));
  const { status } = await beginCiba(kit, { request, scope: undefined, login_hint: undefined });
  assertEquals(status, 200);
}
