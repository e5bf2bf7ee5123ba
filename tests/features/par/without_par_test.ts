import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { type Config, ConfigError, memoryStore } from "../../../src/server/mod.ts";
import { openStrictKit, spa } from "../../support/kit.ts";
import { redirectUri, register } from "../../support/registration.ts";
import { hasFeature } from "../../support/where_feature.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";

const feature = "pushed authorization requests";

const client_id = "https://app.example/client.json";

/** Settings of a server that reads the document of one client. */
function readingDocuments(members: object): Partial<Config> {
  const document = { client_id, redirect_uris: [redirectUri], ...members };
  return {
    clientMetadataDocuments: true,
    fetchUntrusted: () => Promise.resolve(Response.json(document)),
  };
}

const mustPush = { require_pushed_authorization_requests: true };

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
    it("registers no client that must push", async () => {
      const kit = openStrictKit({ registration: "open" }, feature);
      const { status, body } = await register(kit, mustPush);
      assertEquals([status, body.error], [400, "invalid_client_metadata"]);
    });

    it("knows no stored client that must push: it gets no code", async () => {
      const config: Partial<Config> = { registration: "open", store: memoryStore() };
      const { body: { client_id } } = await register(openStrictKit(config), mustPush);
      const kit = openStrictKit(config, feature);
      const request = { client_id, redirect_uri: redirectUri, scope: "openid" };
      assertMatch(await (await kit.ask(request)).text(), /must be that of a known client/);
      assertEquals((await kit.push(request)).status, 404);
    });
  }

  if (hasFeature("metadata documents")) {
    it("takes no document for a stored client that must push", async () => {
      const { whole, without } = openWithAndWithout(feature, readingDocuments({}));
      const client = { id: client_id, redirectUris: [redirectUri], requirePar: true };
      await addClient(whole.server.context, client);
      const request = { client_id, redirect_uri: redirectUri, scope: "openid" };
      assertMatch(await (await without.ask(request)).text(), /must be that of a known client/);
    });

    it("knows no client whose document says that it must push", async () => {
      const { whole, without } = openWithAndWithout(feature, readingDocuments(mustPush));
      const request = { client_id, redirect_uri: redirectUri, scope: "openid" };
      assertEquals((await whole.push(request)).status, 201);
      assertMatch(await (await without.ask(request)).text(), /must be that of a known client/);
    });
  }

  it("completes a request that was pushed before, once: the core stores requests", async () => {
    const config = { clients: [spa()], store: memoryStore() };
    const { body: { request_uri } } = await openStrictKit(config).push({ scope: "openid" });
    const kit = openStrictKit(config, feature);
    const query = new URLSearchParams({ client_id: "demo-spa", request_uri });
    const url = `${kit.issuer}/oauth2/authorize?${query}`;
    const browser = kit.browser();
    const callback = new URL(await browser.authorize(url));
    assertEquals(callback.searchParams.has("code"), true);
    assertEquals((await browser.request(url)).status, 400);
  });

  it("names no endpoint for them in its metadata", async () => {
    const metadata = await openStrictKit({}, feature).metadata();
    assertEquals(metadata.pushed_authorization_request_endpoint, undefined);
  });
});
