import { assertEquals } from "@std/assert";
import { describe } from "node:test";
import { itWith } from "../../support/it_with.ts";
import { isActive, openKit, read, web } from "../../support/kit.ts";

const it = itWith({ inKit: openKit });

describe("The revocation endpoint (RFC 7009)", () => {
  it.inKit("AccessRevokesRefresh: lets an access token die alone", async (kit) => {
    const { access_token, refresh_token } = await kit.tokens();
    assertEquals((await kit.revoke(access_token)).status, 200);
    assertEquals(await isActive(kit, access_token), false);
    assertEquals(await isActive(kit, refresh_token), true);
  });

  it.inKit("RefreshRevokesAccess: a refresh token takes all of its authorization along", async (kit) => {
    const { access_token, refresh_token } = await kit.tokens();
    assertEquals(
      (await kit.revoke(refresh_token, { token_type_hint: "access_token" })).status,
      200,
    );
    assertEquals(await isActive(kit, access_token), false);
    assertEquals(await isActive(kit, refresh_token), false);
  });

  it.inKit("emits an event for each token that was revoked", async (kit) => {
    const { access_token, refresh_token } = await kit.tokens();
    for (const token of [access_token, refresh_token]) await kit.revoke(token);
    const events = kit.events.filter((event) => event.type === "token.revoked");
    assertEquals(events.map(({ client, kind }) => [client, kind]), [
      ["demo-spa", "access"],
      ["demo-spa", "refresh"],
    ]);
  });

  it.inKit("I6: responds with an empty object, because some libraries parse every response", async (kit) => {
    const { access_token } = await kit.tokens();
    for (const token of [access_token, "unknown"]) {
      const { status, headers, text } = await kit.revoke(token);
      assertEquals(status, 200);
      assertEquals(headers.get("Content-Type"), "application/json");
      assertEquals(JSON.parse(text), {});
    }
  });

  it("accepts an unknown token", async () => {
    const response = await openKit().post("/oauth2/revoke", {
      token: "x",
      client_id: "demo-spa",
      token_type_hint: "whatever",
    });
    assertEquals([response.status, await response.text()], [200, "{}\n"]);
  });

  it.inKit("takes a refresh token that was replaced for the one that replaced it", async (kit) => {
    const first = await kit.tokens();
    const second = (await kit.refresh(first.refresh_token)).body;
    await kit.revoke(first.refresh_token);
    assertEquals(await isActive(kit, second.refresh_token), false);
  });

  it.inKit("is content with being asked twice", async (kit) => {
    const { refresh_token } = await kit.tokens();
    for (let time = 0; time < 2; time++) {
      assertEquals((await kit.revoke(refresh_token)).status, 200);
    }
  });

  it.inKit("IsBoundToClient: leaves another client's token as it is", async (kit) => {
    const { access_token, refresh_token } = await kit.tokens();
    for (const token of [access_token, refresh_token]) {
      assertEquals((await kit.revoke(token, {}, web)).body.error, "invalid_grant");
    }
    assertEquals(await isActive(kit, access_token), true);
    assertEquals(await isActive(kit, refresh_token), true);
  });

  it.inKit("IsClientAuthRequired: wants a confidential client to authenticate", async (kit) => {
    assertEquals((await kit.revoke("x", { client_id: "demo-web" })).status, 401);
    assertEquals((await kit.post("/oauth2/revoke", { token: "x" })).status, 401);
  });

  it("asks for a token", async () => {
    assertEquals(
      (await read(await openKit().post("/oauth2/revoke", { client_id: "demo-spa" }))).body.error,
      "invalid_request",
    );
  });
});
