import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import type { ClientConfig } from "../../../src/server/mod.ts";
import { tokenExchangeGrantType } from "../../../src/server/protocol/grant_types.ts";
import { basic, endToken, isActive, type Kit, read, spa } from "../../support/kit.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";
import { exchangeOf } from "./fixtures.ts";

const api = "https://api.example";
const secret = "a-secret-of-22-characters";
const broker: ClientConfig = {
  id: "broker",
  secret,
  grantTypes: ["client_credentials", tokenExchangeGrantType],
  scopes: ["read"],
  resources: [api],
  tokenExchange: { audiences: [api], impersonation: true },
};

/** Opens two servers on one store: one with token exchange, and one without it. */
function openBoth() {
  const { tokenExchange: _, ...plain } = broker;
  const config = (grantTypes: string[], client: ClientConfig) => ({
    resources: [api],
    scopes: { openid: "Sign in", read: "Read" },
    clients: [spa(), client],
    grantTypes: ["authorization_code", "refresh_token", ...grantTypes],
  });
  const grantTypes = ["client_credentials"];
  return openWithAndWithout(
    "token exchange",
    config(grantTypes, { ...plain, grantTypes }),
    config([...grantTypes, tokenExchangeGrantType], broker),
  );
}

describe("A server without token exchange", () => {
  it("finds no stored client that may exchange tokens, and one that may not", async () => {
    const { whole, without } = openBoth();
    const { context } = whole.server;
    await addClient(context, { ...broker, id: "may" });
    const scopes = ["read"];
    await addClient(context, { id: "other", secret, grantTypes: ["client_credentials"], scopes });
    const statuses = (kit: Kit) =>
      Promise.all(["may", "other"].map(async (id) => {
        const fields = { grant_type: "client_credentials", scope: "read" };
        return (await kit.post("/oauth2/token", fields, basic(id, secret))).status;
      }));
    assertEquals(await statuses(whole), [200, 200]);
    assertEquals(await statuses(without), [401, 200]);
  });

  it("exchanges no token, and ends what was exchanged with its subject", async () => {
    const { whole, without } = openBoth();
    const { access_token } = await whole.tokens({ scope: "openid read", resource: api });
    const headers = basic("broker", secret);
    const fields = exchangeOf(access_token);
    const { body: exchanged } = await read(await whole.post("/oauth2/token", fields, headers));
    const refused = await read(await without.post("/oauth2/token", fields, headers));
    assertEquals(refused.body.error, "unsupported_grant_type");
    assertEquals(await isActive(without, exchanged.access_token, headers), true);
    await endToken(without, access_token);
    assertEquals(await isActive(without, exchanged.access_token, headers), false);
  });

  it("advertises no ID-JAG in its metadata", async () => {
    const { identity_chaining_requested_token_types_supported, grant_types_supported } =
      await openBoth().without.metadata();
    assertEquals(identity_chaining_requested_token_types_supported, undefined);
    assertEquals(grant_types_supported.includes(tokenExchangeGrantType), false);
  });
});
