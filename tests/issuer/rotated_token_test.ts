import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { findActiveToken, findRotatedToken } from "../../src/server/issuer/tokens/active_tokens.ts";
import { openKit } from "../support/kit.ts";

describe("A refresh token", () => {
  it("is active until it is rotated, and then leads to its client all the same", async () => {
    const kit = openKit();
    const { context } = kit.server;
    const changes = { scope: "openid offline_access", prompt: "consent" };
    const { refresh_token } = await kit.tokens(changes);
    const found = async () => [
      (await findActiveToken(context, refresh_token))?.kind,
      (await findRotatedToken(context, refresh_token))?.client.id,
    ];
    assertEquals(await found(), ["refresh", undefined]);
    const fields = { grant_type: "refresh_token", refresh_token, client_id: "demo-spa" };
    assertEquals((await kit.token(fields)).status, 200);
    assertEquals(await found(), [undefined, "demo-spa"]);
    assertEquals(await findRotatedToken(context, "unknown"), undefined);
  });
});
