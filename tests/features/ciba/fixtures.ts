import { assertEquals } from "@std/assert";
import { cibaTexts } from "../../../src/server/features/ciba/config.ts";
import { cibaParts } from "../../../src/server/features/ciba/parts.ts";
import { forever } from "../../../src/server/issuer/records/table.ts";
import {
  agent,
  answerCiba,
  beginCiba,
  beginSigned,
  cibaClaims,
  cibaGrant,
  openRequest,
  otherAgent,
  pingToken,
  receivePings,
  withPings,
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
      const { answer, poll } = await openRequest(kit);
      await answer();
      return (await poll()).body;
    },
  },
  clients: [agent()],
  otherClients: [otherAgent],
  flows: {
    async "a request over the back channel"(kit, password) {
      // Other requests about the same user may wait.
      const message = crypto.randomUUID().slice(0, 8);
      const { answer, poll } = await openRequest(kit, { binding_message: message });
      await poll();
      await answer({ password, message });
      kit.clock.advance(10);
      return (await poll()).status;
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
  const decided = await openRequest(kit, fields, headers);
  await decided.answer(user, browser);
  const open = await openRequest(kit, fields, headers);
  return {
    "auth_req_id that waits": {
      endsWith: "application",
      works: async () => await open.pollError() === "authorization_pending",
    },
    "auth_req_id that was allowed": {
      endsWith: "user",
      works: async () => await decided.pollError() === undefined,
    },
  };
}

/** Gets tokens in a delivery mode. */
async function decidesIn(mode: string): Promise<void> {
  const client = agent({ ...withPings, backchannelDeliveryMode: mode });
  const kit = openKit({ clients: [client], fetch: receivePings().fetch });
  const { answer, poll } = await openRequest(kit, pingToken);
  await answer();
  await kit.server.context.background.idle();
  assertEquals((await poll()).status, 200);
}

/** Sends a request that is signed with an algorithm. */
async function signsWith(alg: string): Promise<void> {
  const { publicJwk, sign } = await makeClientKey(alg);
  const client = agent({ jwks: { keys: [publicJwk] }, backchannelRequestAlg: alg });
  const kit = openKit({ clients: [client] });
  assertEquals((await beginSigned(kit, {}, sign(cibaClaims(kit)))).status, 200);
}
