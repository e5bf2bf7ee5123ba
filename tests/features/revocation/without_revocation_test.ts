import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openWithAndWithout } from "../../support/without_feature.ts";

describe("A server without revocation, on the store of one that has it", () => {
  it("takes no token that was revoked there, and none that came of its authorization", async () => {
    const { whole, without } = openWithAndWithout("revocation");
    const { access_token, refresh_token } = await whole.tokens({ scope: "openid offline_access" });
    const userinfo = async () =>
      (await without.get("/oauth2/userinfo", { Authorization: `Bearer ${access_token}` })).status;
    const revoke = (token: string) =>
      whole.post("/oauth2/revoke", { token, client_id: "demo-spa" });
    assertEquals(await userinfo(), 200);
    await revoke(access_token);
    assertEquals(await userinfo(), 401);
    await revoke(refresh_token);
    assertEquals((await without.refresh(refresh_token)).body.error, "invalid_grant");
  });
});
