import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { listClients } from "../../../src/server/issuer/directory/directory_entries.ts";
import type { Kit } from "../../support/kit.ts";
import {
  initialAccessToken,
  redirectUri as redirect_uri,
  register,
  sendJson,
} from "../../support/registration.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";

/** Opens two servers on one store: one with every feature, and one without registration. */
function openKits() {
  const registration = { initialAccessToken, trusted: true };
  return openWithAndWithout("registration", {}, { registration });
}

/** Registers a client that the server trusts, and issues tokens to it. */
async function registerTrusted(kit: Kit) {
  const { body } = await register(kit, {}, initialAccessToken);
  const { client_id, registration_client_uri: url, registration_access_token: token } = body;
  const client = { client_id, redirect_uri };
  const code = await kit.code({ ...client, scope: "openid" });
  return { client, tokens: (await kit.redeem(code, client)).body, url, token };
}

describe("A server without registration, on the store of one that trusts registered clients", () => {
  it("neither redirects to a registered client nor asks a user about it", async () => {
    const { whole, without } = openKits();
    const { client } = await registerTrusted(whole);
    assertEquals((await whole.ask({ ...client, scope: "openid" })).status, 303);
    const response = await without.ask({ ...client, scope: "openid", prompt: "none" });
    assertEquals([response.status, response.headers.get("Location")], [400, null]);
  });

  it("redeems and refreshes nothing for it, and what it has is not active", async () => {
    const { whole, without } = openKits();
    const { client, tokens } = await registerTrusted(whole);
    const code = await whole.code({ ...client, scope: "openid" });
    assertEquals((await without.redeem(code, client)).body.error, "invalid_client");
    const refreshed = await without.refresh(tokens.refresh_token, client);
    assertEquals(refreshed.body.error, "invalid_client");
    const seen = [whole, without].map((kit) => kit.userinfo(tokens.access_token));
    assertEquals((await Promise.all(seen)).map(({ status }) => status), [200, 401]);
  });

  it("has no endpoint at which it manages itself", async () => {
    const { whole, without } = openKits();
    const { url, token } = await registerTrusted(whole);
    for (const method of ["GET", "PUT", "DELETE"]) {
      assertEquals((await sendJson(without, method, url, undefined, token)).status, 404);
    }
    assertEquals((await sendJson(whole, "GET", url, undefined, token)).status, 200);
  });

  it("shows it to administrators as a disabled client, which none of them can trust", async () => {
    const { whole, without } = openKits();
    const { client } = await registerTrusted(whole);
    const disabledIn = async ({ server }: Kit) => {
      const listed = await listClients(server.context);
      return listed.find(({ value }) => value.id === client.client_id)?.value.disabled;
    };
    assertEquals([await disabledIn(whole), await disabledIn(without)], [false, true]);
  });
});
