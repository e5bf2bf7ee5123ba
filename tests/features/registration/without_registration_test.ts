import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { demoUsers } from "../../../src/lab/demo/demo_users.ts";
import { publicPasswords } from "../../../src/lab/sign_in/one_click.ts";
import { makeTestKey } from "../../../src/lab/tokens/test_keys.ts";
import { createFullServer, features } from "../../../src/server/features.ts";
import { listClients } from "../../../src/server/issuer/directory/directory_entries.ts";
import { ConfigError, memoryStore } from "../../../src/server/mod.ts";
import { createInternalServer } from "../../../src/server/server.ts";
import { createKit, type FlowKit, kitParts } from "../../support/flow_kit.ts";
import { initialAccessToken, redirectUri, register, sendJson } from "../../support/registration.ts";

const policies = { passwords: publicPasswords, makeKey: makeTestKey };
const withoutRegistration = features.filter(({ name, needs = [] }) =>
  name !== "registration" && !needs.some((each) => each.name === "registration")
);

/** Opens two servers on one store: one with every feature, and one without registration. */
function openKits() {
  const store = memoryStore();
  const parts = kitParts();
  const config = { ...parts.config, users: demoUsers, policies, store };
  const registration = { initialAccessToken, trusted: true };
  const whole = createFullServer({ ...config, registration });
  const without = createInternalServer(config, withoutRegistration);
  return {
    whole: createKit(whole, parts, redirectUri),
    without: createKit(without, parts, redirectUri),
  };
}

/** Registers a client that the server trusts, and issues tokens to it. */
async function registerTrusted(kit: FlowKit) {
  const { body } = await register(kit, {}, initialAccessToken);
  const client = { client_id: `${body.client_id}` };
  const callback = await kit.authorize({ ...client, scope: "openid" });
  const code = `${callback.get("code")}`;
  const { body: tokens } = await kit.redeem(code, client);
  return {
    client,
    tokens,
    url: body.registration_client_uri,
    token: body.registration_access_token,
  };
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
    const { access_token } = tokens;
    const userinfo = (kit: FlowKit) =>
      kit.get("/oauth2/userinfo", { Authorization: `Bearer ${access_token}` });
    assertEquals([(await userinfo(whole)).status, (await userinfo(without)).status], [200, 401]);
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
    const disabledIn = async ({ server }: typeof whole) => {
      const listed = await listClients(server.context);
      return listed.find(({ value }) => value.id === client.client_id)?.value.disabled;
    };
    assertEquals([await disabledIn(whole), await disabledIn(without)], [false, true]);
  });

  for (const registration of ["open", { open: true }, { initialAccessToken }] as const) {
    it(`does not start if it is to register clients: ${JSON.stringify(registration)}`, () => {
      const config = { issuer: "https://id.example", registration };
      assertThrows(
        () => createInternalServer(config, withoutRegistration),
        ConfigError,
        "registration is not a setting",
      );
    });
  }
});
