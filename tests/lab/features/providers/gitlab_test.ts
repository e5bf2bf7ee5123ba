import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe } from "node:test";
import type { HallpassOptions } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { openProvider, type PlayedLab } from "../../../support/provider_login.ts";
import { assertClean, assertLeniency } from "../../../support/reported.ts";

const it = itWith({ inLab: () => open() });

const scope = "openid email";
const hex = /^[0-9a-f]{64}$/;
const users = [{
  name: "zoe",
  claims: {
    preferred_username: "zoe",
    name: "Zoe Zahn",
    email: "zoe@example.org",
    groups: ["dev"],
  },
}];
const open = (options: HallpassOptions = {}) =>
  openProvider("gitlab", { users, signIn: "zoe", ...options });

/** Signs in, and returns the verified claims of the ID token. */
async function idTokenOf(lab: PlayedLab, changes: Record<string, string>) {
  const { tokens } = await lab.logIn(changes);
  const { payload, protectedHeader } = await lab.verify(tokens.id_token, "/oauth/discovery/keys");
  return { tokens, payload, header: protectedHeader };
}

describe("A lab that plays GitLab", () => {
  it.inLab("gitlab.paths: signs in, introspects, revokes and begins devices", async (lab) => {
    const { tokens } = await lab.logIn({ scope });
    const fields = { token: tokens.access_token };
    const asked = () => lab.form("/oauth/introspect", fields);
    assertEquals((await asked()).body.active, true);
    assertEquals((await lab.form("/oauth/revoke", fields)).status, 200);
    assertEquals((await asked()).body.active, false);
    const device = await lab.form("/oauth/authorize_device");
    assertEquals(device.body.error, "unauthorized_client");
    assertEquals((await lab.fetch(`${lab.issuer}/oauth/device`)).status, 200);
  });

  it.inLab("gitlab.scopes: knows those of the API, and no offline_access", async (lab) => {
    const { tokens } = await lab.logIn({ scope: "read_user openid" });
    assertEquals(tokens.scope, "read_user openid");
    const refused = await lab.callback({ scope: "offline_access" });
    assertEquals(refused.error, "invalid_scope");
  });

  it.inLab("gitlab.sub gitlab.claims: names the user in an ID token with the scope openid alone", async (lab) => {
    const { payload, tokens } = await idTokenOf(lab, { scope: "openid", nonce: "n" });
    assertMatch(payload.sub ?? "", /^[1-9]\d{7}$/);
    const { sub, nickname, preferred_username, groups_direct } = payload;
    assertEquals([nickname, preferred_username, groups_direct], ["zoe", "zoe", ["dev"]]);
    assertEquals(Object.keys(payload).sort(), [
      ...["at_hash", "aud", "auth_time", "exp", "groups_direct", "iat", "iss", "name"],
      ...["nickname", "nonce", "preferred_username", "sub"],
    ]);
    const userinfo = await lab.json("/oauth/userinfo", tokens.access_token);
    const expected = [sub, ["dev"], undefined];
    assertEquals([userinfo.sub, userinfo.groups, userinfo.groups_direct], expected);
    assertEquals([payload.email, userinfo.email], [undefined, undefined]);
    const { payload: more } = await idTokenOf(lab, { scope });
    assertEquals(more.email, "zoe@example.org");
  });

  it.inLab("gitlab.id_token_lifetime: has ID tokens of two minutes", async (lab) => {
    const { exp = 0, iat = 0 } = (await idTokenOf(lab, { scope })).payload;
    assertEquals(exp - iat, 120);
  });

  it.inLab("gitlab.opaque gitlab.code: has credentials of 64 hexadecimal digits", async (lab) => {
    const { tokens, callback: { code = "" } } = await lab.logIn({ scope });
    for (const each of [tokens.access_token, tokens.refresh_token, code]) assertMatch(each, hex);
    const { body: refreshed } = await lab.refresh(tokens.refresh_token);
    assertMatch(refreshed.refresh_token, hex);
    assertNotEquals(refreshed.refresh_token, tokens.refresh_token);
  });

  it.inLab("gitlab.response gitlab.bearer gitlab.lifetimes: has created_at, and lasts for two hours", async (lab) => {
    lab.clock.freeze();
    const { tokens } = await lab.logIn({ scope });
    assertEquals(Object.keys(tokens).sort(), [
      ...["access_token", "created_at", "expires_in", "id_token"],
      ...["refresh_token", "scope", "token_type"],
    ]);
    const { created_at } = tokens as unknown as { created_at: number };
    assertEquals(created_at, Math.floor(lab.clock.now() / 1000));
    assertEquals([tokens.expires_in, tokens.token_type], [7200, "bearer"]);
    const late = await lab.callback({ scope });
    lab.clock.advance("601s");
    assertEquals((await lab.redeem(late.code)).body.error, "invalid_grant");
  });

  it.inLab("gitlab.query: Z6: takes an access token in a query", async (lab) => {
    const { tokens } = await idTokenOf(lab, { scope: "openid read_user", nonce: "n" });
    const query = new URLSearchParams({ access_token: tokens.access_token });
    assertEquals((await lab.json(`/api/v4/user?${query}`)).username, "zoe");
    assertEquals(typeof (await lab.json(`/oauth/userinfo?${query}`)).sub, "string");
    assertClean(lab, { refused: true });
  });

  it("gitlab.user: describes the user at /api/v4/user, for a scope of the API", async () => {
    await using lab = await open();
    const one = await idTokenOf(lab, { scope: "openid read_user" });
    const user = await lab.json("/api/v4/user", one.tokens.access_token);
    assertEquals([user.id, user.username], [Number(one.payload.sub), "zoe"]);
    assertEquals([user.email, user.web_url], ["zoe@example.org", `${lab.issuer}/zoe`]);
    const { tokens } = await lab.logIn({ scope });
    const refused = await lab.json("/api/v4/user", tokens.access_token);
    assertEquals(refused.error, "insufficient_scope");
    assertEquals(await lab.json("/api/v4/user"), { message: "401 Unauthorized" });
  });

  it.inLab("gitlab.callback: names in the report that iss is missing", async (lab) => {
    assertLeniency(lab, "dialect.authorizationResponse: no iss");
  });
});
