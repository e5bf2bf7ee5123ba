import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { claimsOf, type Fields, type Kit, openKit, service } from "../support/kit.ts";
import { hasFeature } from "../support/where_feature.ts";

const things = "https://things.test";
const secrets = "https://secrets.test";

function openServer(more: object = {}): Kit {
  return openKit({
    resources: [
      { uri: things, scopes: ["read"], accessTokenLifetime: "10m" },
      { uri: secrets, scopes: ["write"], accessTokenFormat: "opaque", accessTokenLifetime: "5m" },
      "https://plain.test",
    ],
    ...more,
  });
}

async function redeem(kit: Kit, request: Fields, changes: Fields = {}) {
  return (await kit.redeem(await kit.code({ scope: "openid read write", ...request }), changes))
    .body;
}

describe("Resources with wishes of their own (RFC 8707)", () => {
  it("get tokens that say what they understand, and no more", async () => {
    const { access_token, scope, expires_in, id_token } = await redeem(openServer(), {
      resource: [things, secrets],
    }, { resource: things });
    const claims = claimsOf(access_token);
    assertEquals([claims.aud, claims.scope, claims.exp - claims.iat], [things, "read", 600]);
    assertEquals([scope, expires_in, typeof id_token], ["read", 600, "string"]);
  });

  if (hasFeature("introspection")) {
    it("get opaque tokens where one of them wants that, which live as long as the shortest", async () => {
      const kit = openServer();
      const { access_token, scope, expires_in } = await redeem(kit, {
        resource: [things, secrets],
      });
      assertEquals([access_token.includes("."), scope, expires_in], [false, "read write", 300]);
      const { body } = await kit.introspect(access_token, {}, service);
      assertEquals(body.aud, [things, secrets]);
      assertEquals(body.scope, "read write");
      assertEquals(body.exp - body.iat, 300);
      kit.clock.advance(300);
      assertEquals((await kit.introspect(access_token, {}, service)).body, { active: false });
    });
  }

  it("are no concern of tokens for plain ones, or for none", async () => {
    for (const resource of ["https://plain.test", undefined]) {
      const { access_token, scope } = await redeem(openServer(), { resource });
      assertEquals(claimsOf(access_token).scope, "openid read write");
      assertEquals(scope, "openid read write");
    }
  });

  it("are kept by a refresh token, though one access token was for fewer of them", async () => {
    const kit = openServer();
    let { refresh_token } = await redeem(kit, { resource: [things, secrets] }, {
      resource: things,
    });
    const scopes = [];
    for (const resource of [secrets, things, [things, secrets]]) {
      const { body } = await kit.refresh(refresh_token, { resource });
      refresh_token = body.refresh_token;
      scopes.push(body.scope);
    }
    assertEquals(scopes, ["write", "read", "read write"]);
  });

  it("refuse a scope that they do not know, before the user is asked", async () => {
    const callback = await openServer().authorize({ scope: "write", resource: things });
    assertEquals(callback.get("error"), "invalid_scope");
  });

  it("refuse it from a client that acts for itself", async () => {
    const fields = { grant_type: "client_credentials", scope: "write", resource: things };
    assertEquals((await openServer().token(fields, service)).body.error, "invalid_scope");
  });

  it("A29 does not burn a code whose scope fits none of the resources that are left", async () => {
    const kit = openServer();
    const code = await kit.code({ scope: "read", resource: [things, secrets] });
    assertEquals((await kit.redeem(code, { resource: secrets })).body.error, "invalid_scope");
    assertEquals((await kit.redeem(code, { resource: things })).status, 200);
  });

  it("may be the default", async () => {
    const kit = openServer({ defaultResource: things });
    const { body } = await kit.token(
      { grant_type: "client_credentials", scope: "read write" },
      service,
    );
    assertEquals(claimsOf(body.access_token).aud, things);
    assertEquals(body.scope, "read");
    assertEquals(body.expires_in, 600);
  });

  it("are advertised (RFC 9728, section 4), as far as they are configured", () => {
    assertEquals(openServer().server.context.metadata().protected_resources, [
      things,
      secrets,
      "https://plain.test",
    ]);
    assertEquals(openKit().server.context.metadata().protected_resources, undefined);
  });
});
