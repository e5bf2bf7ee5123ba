import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openWithAndWithout } from "../../support/without_feature.ts";

describe("A server without revocation, on the store of one that has it", () => {
  it("takes no token that was revoked there, and none that came of its authorization", async () => {
    const { whole, without } = openWithAndWithout("revocation");
    const { access_token, refresh_token } = await whole.tokens({ scope: "openid offline_access" });
    assertEquals((await without.userinfo(access_token)).status, 200);
    await whole.revoke(access_token);
    assertEquals((await without.userinfo(access_token)).status, 401);
    await whole.revoke(refresh_token);
    assertEquals((await without.refresh(refresh_token)).body.error, "invalid_grant");
  });
});
