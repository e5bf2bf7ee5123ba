import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { ClientConfig, Config } from "../../src/server/features.ts";
import { openKit } from "../support/kit.ts";

const redirectUris = ["https://hallpass.test/authorized"];

/**
 * The scope of a token response to a request that names no scope, and whether it has an ID token.
 */
async function grantedByDefault(
  config: Pick<Config, "defaultScope">,
  settings: Partial<ClientConfig> = {},
): Promise<unknown[]> {
  const kit = openKit({ ...config, clients: [{ id: "demo-spa", redirectUris, ...settings }] });
  const { scope, id_token } = await kit.tokens({ scope: undefined });
  return [scope, id_token !== undefined];
}

describe("The scope of a request that names none (OAuth 2.1, section 1.4.1)", () => {
  const scopes = ["openid", "read"];

  it("A25 is what OpenID Connect does not define", async () => {
    assertEquals(await grantedByDefault({}, { scopes }), ["read", false]);
  });

  it("A25 is the server's defaultScope: with openid, there is an ID token", async () => {
    assertEquals(await grantedByDefault({ defaultScope: ["openid"] }), ["openid", true]);
  });

  it("A25 is a client's own defaultScope first, and never more than its scopes", async () => {
    const config = { defaultScope: ["openid", "email", "read"] };
    assertEquals(await grantedByDefault(config, { scopes }), ["openid read", true]);
    assertEquals(await grantedByDefault(config, { defaultScope: ["read"] }), ["read", false]);
  });
});
