import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { type Config, ConfigError, memoryStore } from "../../../src/server/mod.ts";
import { type FlowKit, type Kit, openStrictKit, spa } from "../../support/kit.ts";
import { redirectUri, register } from "../../support/registration.ts";
import { hasFeature } from "../../support/where_feature.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";

const feature = "pushed authorization requests";

const client_id = "https://app.example/client.json";
const mustPush = { require_pushed_authorization_requests: true };
const asked = (client_id: string) => ({ client_id, redirect_uri: redirectUri, scope: "openid" });

/** Settings of a server that reads the document of one client. */
function readingDocuments(members: object): Partial<Config> {
  const document = { client_id, redirect_uris: [redirectUri], ...members };
  return {
    clientMetadataDocuments: true,
    fetchUntrusted: () => Promise.resolve(Response.json(document)),
  };
}

/** Asks for a code for a client that must push, which a server without PAR does not know. */
async function assertUnknown(kit: Kit | FlowKit, client_id: string): Promise<void> {
  assertMatch(await (await kit.ask(asked(client_id))).text(), /must be that of a known client/);
}

describe("A server without pushed authorization requests", () => {
  const demands: Array<[path: string, config: Partial<Config>]> = [
    ["requirePar", { requirePar: true }],
    ["requirePar", { profile: "fapi-2.0" }],
    ["clients[0].requirePar", { clients: [spa({ requirePar: true })] }],
  ];
  for (const [path, config] of demands) {
    it(`refuses ${JSON.stringify(config)}: its endpoint is not there`, () => {
      const open = () => openStrictKit(config, feature);
      assertThrows(open, ConfigError, `${path} needs the endpoint 'par'`);
    });
  }

  if (hasFeature("registration")) {
    const config: Partial<Config> = { registration: "open", store: memoryStore() };

    it("registers no client that must push", async () => {
      const { status, body } = await register(openStrictKit(config, feature), mustPush);
      assertEquals([status, body.error], [400, "invalid_client_metadata"]);
    });

    it("knows no stored client that must push: it gets no code", async () => {
      const { body: { client_id } } = await register(openStrictKit(config), mustPush);
      const kit = openStrictKit(config, feature);
      await assertUnknown(kit, client_id);
      assertEquals((await kit.push(asked(client_id))).status, 404);
    });
  }

  if (hasFeature("metadata documents")) {
    it("takes no document for a stored client that must push", async () => {
      const { whole, without } = openWithAndWithout(feature, readingDocuments({}));
      const client = { id: client_id, redirectUris: [redirectUri], requirePar: true };
      await addClient(whole.server.context, client);
      await assertUnknown(without, client_id);
    });

    it("knows no client whose document says that it must push", async () => {
      const { whole, without } = openWithAndWithout(feature, readingDocuments(mustPush));
      assertEquals((await whole.push(asked(client_id))).status, 201);
      await assertUnknown(without, client_id);
    });
  }

  it("completes a request that was pushed before, once: the core stores requests", async () => {
    const { whole, without } = openWithAndWithout(feature);
    const { body: { request_uri } } = await whole.push({ scope: "openid" });
    assertEquals((await without.redeem(await without.code({ request_uri }))).status, 200);
    assertEquals((await without.ask({ request_uri })).status, 400);
  });

  it("names no endpoint for them in its metadata", async () => {
    const metadata = await openStrictKit({}, feature).metadata();
    assertEquals(metadata.pushed_authorization_request_endpoint, undefined);
  });
});
