import { assertEquals, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { Config } from "../../../src/server/features.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { basic, type Kit, openStrictKit, type ReadResponse } from "../../support/kit.ts";
import {
  initialAccessToken,
  redirectUri as redirect_uri,
  register,
  sendJson,
} from "../../support/registration.ts";
import type { ResponseBody } from "../../support/wire.ts";

const resource = "https://mcp.example/tools";

/** Opens a server of the profile mcp, with three scopes. */
function openMcp(config: Partial<Config> = {}): Kit {
  return openStrictKit({
    profile: "mcp",
    resources: [resource],
    scopes: { read: "Read", write: "Write", admin: "Administer" },
    registration: "open",
    clientMetadataDocuments: false,
    ...config,
  });
}

/** Replaces the metadata of a registration (RFC 7592). */
function update(kit: Kit, registered: ResponseBody, changes: object, token?: string) {
  const { client_id, registration_client_uri, registration_access_token } = registered;
  const metadata = {
    client_id,
    redirect_uris: [redirect_uri],
    token_endpoint_auth_method: "none",
    ...changes,
  };
  const bearer = token ?? registration_access_token;
  return sendJson(kit, "PUT", registration_client_uri, metadata, bearer);
}

/** Returns the scope that a client gets, or the text of the page that refuses it. */
async function scopeFor(kit: Kit, { client_id }: ResponseBody, scope?: string) {
  const url = kit.authorizationUrl({ client_id, redirect_uri, resource, scope });
  const first = await kit.get(url.slice(kit.issuer.length));
  if (first.status === 400) return (await first.text()).match(/invalid_\w+/)?.[0];
  const code = await kit.code({ client_id, redirect_uri, resource, scope });
  return (await kit.redeem(code, { client_id, redirect_uri, resource })).body.scope;
}

const problemOf = ({ status, body }: ReadResponse) => [status, body.error];

describe("The scope of a registration under the profile mcp (RFC 7591, section 2)", () => {
  const allow = { scopes: ["read", "write"], resources: [resource] };
  const bounded = { registration: { open: true, allow } };

  it("is a default that later requests may exceed, up to what the operator allows", async () => {
    const kit = openMcp(bounded);
    const { body } = await register(kit, { scope: "read" });
    assertEquals(await scopeFor(kit, body), "read");
    assertEquals(await scopeFor(kit, body, "read write"), "read write");
    assertEquals(await scopeFor(kit, body, "read admin"), "invalid_scope");
  });

  it("is no more after an update, and cannot name what the operator does not allow", async () => {
    const kit = openMcp(bounded);
    const { body } = await register(kit, { scope: "read" });
    assertEquals(problemOf(await update(kit, body, { scope: "read admin" })), [
      400,
      "invalid_client_metadata",
    ]);
    assertEquals((await update(kit, body, { scope: "write" })).body.scope, "write");
    assertEquals(await scopeFor(kit, body), "write");
    assertEquals(await scopeFor(kit, body, "read admin"), "invalid_scope");
  });

  it("is everything that the operator allows after an update without a scope", async () => {
    const kit = openMcp(bounded);
    const { body } = await register(kit, { scope: "read" });
    assertEquals((await update(kit, body, {})).body.scope, "read write");
    assertEquals(await scopeFor(kit, body), "read write");
  });

  it("is the limit again once the profile is another", async () => {
    const store = memoryStore();
    const { body } = await register(openMcp({ store }), { scope: "read" });
    const kit = openMcp({
      store,
      profile: "oauth-2.1",
      registration: { open: true, allow: { scopes: "any", resources: "any" } },
    });
    assertEquals(await scopeFor(kit, body, "read"), "read");
    assertEquals(await scopeFor(kit, body, "read write"), "invalid_scope");
  });

  it("shrinks at once with what the operator allows", async () => {
    const store = memoryStore();
    const { body } = await register(openMcp({ store }), { scope: "read" });
    assertEquals(await scopeFor(openMcp({ store, ...bounded }), body, "admin"), "invalid_scope");
  });

  const unproven: Array<[what: string, changes: object, error: string]> = [
    ["a software statement", { software_statement: "e30.e30." }, "unapproved_software_statement"],
    ["a grant that asks no user", {
      grant_types: ["client_credentials"],
      response_types: [],
      token_endpoint_auth_method: "client_secret_basic",
    }, "invalid_client_metadata"],
  ];
  for (const [what, changes, error] of unproven) {
    it(`cannot be exceeded by ${what}, at registration or in an update`, async () => {
      const kit = openMcp(bounded);
      const { body } = await register(kit, { scope: "read" });
      assertEquals(problemOf(await register(kit, changes)), [400, error]);
      assertEquals(problemOf(await update(kit, body, changes)), [400, error]);
      assertEquals(await scopeFor(kit, body), "read");
    });
  }
});

describe("The scope of a registration with an initial access token, under the profile mcp", () => {
  const allow = { scopes: ["read", "write"], resources: [resource] };
  const admitting = { registration: { initialAccessToken, allow } };

  it("is bounded by what the operator allows, and an update needs the token of the client", async () => {
    const kit = openMcp(admitting);
    assertEquals((await register(kit, { scope: "read" })).status, 401);
    const { body } = await register(kit, { scope: "read" }, initialAccessToken);
    assertEquals(
      problemOf(await update(kit, body, { scope: "write" }, initialAccessToken)),
      [401, "invalid_token"],
    );
    const other = (await register(kit, {}, body.registration_access_token)).body;
    assertEquals(other.error, "invalid_token");
    assertEquals(await scopeFor(kit, body, "read write"), "read write");
    assertEquals(await scopeFor(kit, body, "admin"), "invalid_scope");
  });

  it("does not give the rights of the token to a client that registered without it", async () => {
    const store = memoryStore();
    const { body } = await register(openMcp({ store, registration: { open: true, allow } }));
    const kit = openMcp({ store, ...admitting });
    const service = {
      grant_types: ["client_credentials"],
      response_types: [],
      token_endpoint_auth_method: "client_secret_basic",
    };
    assertEquals(problemOf(await update(kit, body, service)), [400, "invalid_client_metadata"]);
  });

  const service = {
    grant_types: ["authorization_code", "client_credentials"],
    token_endpoint_auth_method: "client_secret_basic",
    scope: "read",
  };

  /** Asks for a token without a user, as a client that registered or was updated. */
  async function askAlone(kit: Kit, { client_id, client_secret }: ResponseBody, scope: string) {
    const fields = { grant_type: "client_credentials", resource, scope };
    const { body } = await kit.token(fields, basic(client_id, client_secret));
    return body.error ?? body.scope;
  }

  it("is the limit of a client that may ask without a user", async () => {
    const kit = openMcp(admitting);
    const { body } = await register(kit, service, initialAccessToken);
    assertEquals(await askAlone(kit, body, "read"), "read");
    assertEquals(await askAlone(kit, body, "write"), "invalid_scope");
    assertNotMatch(String(await scopeFor(kit, body, "write")), /write/);
  });

  it("is that limit as soon as an update adds such a grant", async () => {
    const kit = openMcp(admitting);
    const { body } = await register(kit, { scope: "read" }, initialAccessToken);
    const updated = (await update(kit, body, service)).body;
    const client = { ...body, ...updated };
    assertEquals(await askAlone(kit, client, "read"), "read");
    assertEquals(await askAlone(kit, client, "write"), "invalid_scope");
  });
});
