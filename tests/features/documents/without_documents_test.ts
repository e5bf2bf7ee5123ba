import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { demoUsers } from "../../../src/lab/demo/demo_users.ts";
import { publicPasswords } from "../../../src/lab/sign_in/one_click.ts";
import { makeTestKey } from "../../../src/lab/tokens/test_keys.ts";
import { createFullServer, features } from "../../../src/server/features.ts";
import { ConfigError, memoryStore } from "../../../src/server/mod.ts";
import { createInternalServer } from "../../../src/server/server.ts";
import { createKit, type FlowKit, kitParts } from "../../support/flow_kit.ts";
import { redirectUri } from "../../support/registration.ts";

const client_id = "https://app.example/client.json";
const policies = { passwords: publicPasswords, makeKey: makeTestKey };
const metadata = { client_id, redirect_uris: [redirectUri] };

const withoutDocuments = features.filter(({ name }) => name !== "metadata documents");

/** Opens two servers on one store: one with every feature, and one without metadata documents. */
function openKits() {
  const store = memoryStore();
  const parts = kitParts();
  const fetchUntrusted = () => Promise.resolve(Response.json(metadata));
  const config = { ...parts.config, users: demoUsers, policies, store, fetchUntrusted };
  const whole = createFullServer({ ...config, clientMetadataDocuments: true });
  const without = createInternalServer(config, withoutDocuments);
  return {
    whole: createKit(whole, parts, redirectUri),
    without: createKit(without, parts, redirectUri),
  };
}

async function tokensOf(kit: FlowKit) {
  const callback = await kit.authorize({ client_id, scope: "openid" });
  return (await kit.redeem(`${callback.get("code")}`, { client_id })).body;
}

describe("A server without metadata documents, on the store of one that reads them", () => {
  it("knows no client whose id is a URL, although its document is stored", async () => {
    const { whole, without } = openKits();
    await tokensOf(whole);
    const response = await without.ask({ client_id, scope: "openid", prompt: "none" });
    assertEquals([response.status, response.headers.get("Location")], [400, null]);
  });

  it("redeems nothing for it, and what it has is not active", async () => {
    const { whole, without } = openKits();
    const { access_token } = await tokensOf(whole);
    const code = await whole.code({ client_id, scope: "openid" });
    assertEquals((await without.redeem(code, { client_id })).body.error, "invalid_client");
    const userinfo = async (kit: FlowKit) => {
      const headers = { Authorization: `Bearer ${access_token}` };
      return (await kit.get("/oauth2/userinfo", headers)).status;
    };
    assertEquals([await userinfo(whole), await userinfo(without)], [200, 401]);
  });

  it("does not start if it is to read them", () => {
    const config = { issuer: "https://id.example", clientMetadataDocuments: true };
    const open = () => createInternalServer(config, withoutDocuments);
    assertThrows(open, ConfigError, "clientMetadataDocuments is not a setting");
  });

  it("does not advertise them", async () => {
    const { without } = openKits();
    const found = await (await without.get("/.well-known/oauth-authorization-server")).json();
    assertEquals(found.client_id_metadata_document_supported, undefined);
  });
});
