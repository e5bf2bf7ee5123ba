import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { basic, endToken, openKit, read, service, web } from "../../support/kit.ts";

describe("The introspection endpoint (RFC 7662)", () => {
  it("describes an access token to a client that may know about it", async () => {
    const kit = openKit();
    const { access_token } = await kit.tokens();
    const { body, headers } = await kit.introspect(access_token, {}, service);
    const { active, client_id, username, sub, scope, token_type, iss, aud } = body;
    assertEquals([active, client_id, username, sub, scope, token_type, iss, aud], [
      true,
      "demo-spa",
      "alice",
      "alice",
      "openid profile read",
      "Bearer",
      kit.issuer,
      kit.issuer,
    ]);
    assertEquals(headers.get("Cache-Control"), "no-store");
  });

  it("describes a refresh token", async () => {
    const kit = openKit();
    const { refresh_token } = await kit.tokens();
    const { body } = await kit.introspect(
      refresh_token,
      { token_type_hint: "access_token" },
      service,
    );
    assertEquals(body.active, true);
    assertEquals(body.client_id, "demo-spa");
    assertEquals(body.exp, kit.clock.now / 1000 + 30 * 86_400);
  });

  const nothing = { active: false };
  for (const token of ["x", "a.b.c", "..", "é"]) {
    it(`describes '${token}' as inactive, and no more`, async () => {
      assertEquals(
        (await read(await openKit().post("/oauth2/introspect", { token }, service))).body,
        nothing,
      );
    });
  }

  it("does the same for an expired, a revoked and a rotated one", async () => {
    const kit = openKit();
    const first = await kit.tokens();
    await kit.refresh(first.refresh_token);
    assertEquals((await kit.introspect(first.refresh_token, {}, service)).body, nothing);
    await endToken(kit, first.access_token);
    assertEquals((await kit.introspect(first.access_token, {}, service)).body, nothing);
    const { access_token } = await kit.tokens();
    kit.clock.advance(3600);
    assertEquals((await kit.introspect(access_token, {}, service)).body, nothing);
  });

  it("shows a client its own tokens only", async () => {
    const kit = openKit();
    const own = (await kit.redeem(await kit.code({ client_id: "demo-web" }), {}, web))
      .body.access_token;
    const foreign = (await kit.tokens()).access_token;
    assertEquals((await kit.introspect(own, {}, web)).body.active, true);
    assertEquals((await kit.introspect(foreign, {}, web)).body, nothing);
  });

  it("shows the owner of a resource the tokens that are meant for it", async () => {
    const redirectUris = ["https://hallpass.test/authorized"];
    const kit = openKit({
      clients: [{ id: "demo-spa", redirectUris }, {
        id: "api",
        secret: "s",
        resources: ["https://api.example"],
      }],
    });
    const token =
      (await kit.redeem(await kit.code({ resource: "https://api.example" }))).body.access_token;
    assertEquals((await kit.introspect(token, {}, basic("api", "s"))).body.active, true);
    const other = (await kit.tokens()).access_token;
    assertEquals((await kit.introspect(other, {}, basic("api", "s"))).body, nothing);
  });

  for (
    const [who, fields, headers] of [["nobody", {}, {}], ["a public client", {
      client_id: "demo-spa",
    }, {}], ["a wrong secret", {}, basic("demo-service", "x")]] as const
  ) {
    it(`responds with 401 to ${who}`, async () => {
      const { status, body } = await read(
        await openKit().post("/oauth2/introspect", { token: "x", ...fields }, { ...headers }),
      );
      assertEquals([status, body.error], [401, "invalid_client"]);
    });
  }

  it("asks for a token", async () => {
    assertEquals(
      (await read(await openKit().post("/oauth2/introspect", {}, service))).body.error,
      "invalid_request",
    );
  });
});
