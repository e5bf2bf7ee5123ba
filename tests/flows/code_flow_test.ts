import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { claimsOf, openKit, web } from "../support/kit.ts";

describe("The authorization code flow (OAuth 2.1, section 4.1)", () => {
  it("gives a public client tokens for a code", async () => {
    const kit = openKit();
    const { status, body } = await kit.redeem(await kit.code());
    assertEquals(status, 200);
    assertEquals(body.token_type, "Bearer");
    assertEquals(body.expires_in, 3600);
    assertEquals(body.scope, "openid profile read");
    assertEquals(claimsOf(body.id_token).aud, "demo-spa");
  });

  it("gives a confidential client tokens for a code", async () => {
    const kit = openKit();
    const code = await kit.code({ client_id: "demo-web" });
    const { status, body } = await kit.redeem(code, {}, web);
    assertEquals([status, body.token_type], [200, "Bearer"]);
    assertMatch(body.refresh_token, /^[\w-]{43}$/);
  });
});
