import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe } from "node:test";
import type { TestLab } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import {
  askProvider,
  callbackOf,
  logIn,
  openProvider,
  playedStatus,
  requestTokens,
} from "../../../support/provider_login.ts";

const it = itWith({ inLab: () => open() });

const open = () => openProvider("discord");

function urlsOf({ issuer }: TestLab) {
  return { authorize: `${issuer}/oauth2/authorize`, token: `${issuer}/api/oauth2/token` };
}

async function me(lab: TestLab, token: string, path = "/api/users/@me"): Promise<Response> {
  return await lab.fetch(lab.issuer + path, { headers: { Authorization: `Bearer ${token}` } });
}

describe("A lab that plays Discord", () => {
  it.inLab("discord.paths: signs in at /oauth2, and revokes below /api/oauth2", async (lab) => {
    const { tokens } = await logIn(lab, urlsOf(lab), { scope: "identify" });
    const fields = { token: tokens.access_token };
    const revoked = await requestTokens(lab, `${urlsOf(lab).token}/revoke`, fields);
    assertEquals([revoked.status, (await me(lab, tokens.access_token)).status], [200, 401]);
  });

  it.inLab("discord.versions: takes a version in the path of each endpoint", async (lab) => {
    const token = `${lab.issuer}/api/v10/oauth2/token`;
    const { tokens } = await logIn(lab, { ...urlsOf(lab), token }, { scope: "identify" });
    assertEquals((await me(lab, tokens.access_token, "/api/v10/users/@me")).status, 200);
    const revoked = await requestTokens(lab, `${token}/revoke`, { token: tokens.access_token });
    assertEquals(revoked.status, 200);
  });

  it.inLab("discord.older: has the page at its older paths as well", async (lab) => {
    for (const path of ["/api/oauth2/authorize", "/api/v10/oauth2/authorize"]) {
      const asked = await askProvider(lab, lab.issuer + path, { scope: "identify" });
      assertEquals([asked.status, callbackOf(asked).state], [playedStatus, "a-state"]);
    }
  });

  it.inLab("discord.scopes: knows no openid, and publishes no metadata", async (lab) => {
    const refused = await askProvider(lab, urlsOf(lab).authorize, { scope: "openid" });
    assertEquals(callbackOf(refused).error, "invalid_scope");
    const metadata = await lab.fetch(`${lab.issuer}/.well-known/openid-configuration`);
    assertEquals(metadata.status, 404);
  });

  it.inLab("discord.response discord.opaque discord.lengths: has five members, and lasts for a week", async (lab) => {
    const { tokens, callback: { code } } = await logIn(lab, urlsOf(lab), { scope: "identify" });
    assertEquals(Object.keys(tokens).sort(), [
      ...["access_token", "expires_in", "refresh_token", "scope", "token_type"],
    ]);
    assertEquals([tokens.expires_in, tokens.token_type], [604800, "Bearer"]);
    assertEquals(
      [tokens.access_token, tokens.refresh_token, code].map((each) => each?.length),
      [31, 32, 31],
    );
    const fields = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
    const refreshed = await (await requestTokens(lab, urlsOf(lab).token, fields)).json();
    assertNotEquals(refreshed.access_token, tokens.access_token);
  });

  it.inLab("discord.user discord.sub: describes the user, with the address for the scope email", async (lab) => {
    const one = await logIn(lab, urlsOf(lab), { scope: "identify" });
    const user = await (await me(lab, one.tokens.access_token)).json();
    assertMatch(user.id, /^[1-9]\d{17}$/);
    assertEquals([user.username, user.global_name], ["alice", "Alice Adler"]);
    assertEquals(["email" in user, "verified" in user], [false, false]);
    const two = await logIn(lab, urlsOf(lab), { scope: "identify email" });
    const more = await (await me(lab, two.tokens.access_token)).json();
    assertEquals([more.id, more.email, more.verified], [user.id, "alice@example.com", true]);
  });

  it.inLab("discord.authorization: X3: describes the authorization of a token", async (lab) => {
    const { tokens } = await logIn(lab, urlsOf(lab), { scope: "identify guilds" });
    const expires = new Date(lab.clock.now() + 604_800_000).toISOString().slice(0, 10);
    for (const path of ["/api/oauth2/@me", "/api/v10/oauth2/@me"]) {
      const found = await (await me(lab, tokens.access_token, path)).json();
      assertEquals(found.application.id, "web");
      assertEquals(found.scopes, ["identify", "guilds"]);
      assertEquals([found.expires.slice(0, 10), found.user.username], [expires, "alice"]);
    }
    const { tokens: other } = await logIn(lab, urlsOf(lab), { scope: "guilds" });
    assertEquals(
      (await (await me(lab, other.access_token, "/api/oauth2/@me")).json()).user,
      undefined,
    );
    assertEquals((await me(lab, "unknown", "/api/oauth2/@me")).status, 401);
  });

  for (const name of ["guilds", "connections"]) {
    it.inLab(`discord.lists: X3: lists no ${name}, for the scope of this name`, async (lab) => {
      const { tokens } = await logIn(lab, urlsOf(lab), { scope: `identify ${name}` });
      for (const path of [`/api/users/@me/${name}`, `/api/v10/users/@me/${name}`]) {
        assertEquals(await (await me(lab, tokens.access_token, path)).json(), []);
      }
      const { tokens: other } = await logIn(lab, urlsOf(lab), { scope: "identify" });
      assertEquals((await me(lab, other.access_token, `/api/users/@me/${name}`)).status, 401);
    });
  }

  it.inLab("discord.escaped: describes the user at /users/%40me as well", async (lab) => {
    const { tokens } = await logIn(lab, urlsOf(lab), { scope: "identify" });
    for (const path of ["/api/users/%40me", "/api/v10/users/%40me"]) {
      assertEquals((await me(lab, tokens.access_token, path)).status, 200);
    }
    for (const path of ["/api/users%2F@me", "/api/users/%2540me"]) {
      assertEquals((await me(lab, tokens.access_token, path)).status, 404);
    }
  });

  it.inLab("discord.user: refuses a token without identify, and no token", async (lab) => {
    const { tokens } = await logIn(lab, urlsOf(lab), { scope: "guilds" });
    for (const token of [tokens.access_token, "unknown"]) {
      const response = await me(lab, token);
      const expected = [401, { message: "401: Unauthorized", code: 0 }];
      assertEquals([response.status, await response.json()], expected);
    }
  });
});
