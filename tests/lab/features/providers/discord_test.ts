import { assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import { itWith } from "../../../support/it_with.ts";
import {
  callbackOf,
  clientAt,
  openProvider,
  playedStatus,
} from "../../../support/provider_login.ts";

const it = itWith({ inLab: () => open() });

const open = () => openProvider("discord");
const me = "/api/users/@me";

describe("A lab that plays Discord", () => {
  it.inLab("discord.paths: signs in at /oauth2, and revokes below /api/oauth2", async (lab) => {
    const { tokens } = await lab.logIn({ scope: "identify" });
    const fields = { token: tokens.access_token };
    const revoked = await lab.form("/api/oauth2/token/revoke", fields);
    assertEquals([revoked.status, (await lab.get(me, tokens.access_token)).status], [200, 401]);
  });

  it.inLab("discord.versions: takes a version in the path of each endpoint", async (lab) => {
    const app = clientAt(lab, ["/oauth2/authorize", "/api/v10/oauth2/token"]);
    const { tokens } = await app.logIn({ scope: "identify" });
    assertEquals((await lab.get("/api/v10/users/@me", tokens.access_token)).status, 200);
    const fields = { token: tokens.access_token };
    assertEquals((await app.form("/api/v10/oauth2/token/revoke", fields)).status, 200);
  });

  it.inLab("discord.older: has the page at its older paths as well", async (lab) => {
    for (const path of ["/api/oauth2/authorize", "/api/v10/oauth2/authorize"]) {
      const asked = await clientAt(lab, [path, ""]).ask({ scope: "identify" });
      assertEquals([asked.status, callbackOf(asked).state], [playedStatus, "a-state"]);
    }
  });

  it.inLab("discord.scopes: knows no openid, and publishes no metadata", async (lab) => {
    const refused = await lab.callback({ scope: "openid" });
    assertEquals(refused.error, "invalid_scope");
    const metadata = await lab.fetch(`${lab.issuer}/.well-known/openid-configuration`);
    assertEquals(metadata.status, 404);
  });

  it.inLab("discord.response discord.opaque discord.lengths: has five members, and lasts for a week", async (lab) => {
    const { tokens, callback: { code } } = await lab.logIn({ scope: "identify" });
    assertEquals(Object.keys(tokens).sort(), [
      ...["access_token", "expires_in", "refresh_token", "scope", "token_type"],
    ]);
    assertEquals([tokens.expires_in, tokens.token_type], [604800, "Bearer"]);
    assertEquals(
      [tokens.access_token, tokens.refresh_token, code].map((each) => each?.length),
      [31, 32, 31],
    );
    const { body: refreshed } = await lab.refresh(tokens.refresh_token);
    const isSame = refreshed.access_token === tokens.access_token;
    assertEquals([refreshed.access_token.length, isSame], [31, false]);
  });

  it.inLab("discord.user discord.sub: describes the user, with the address for the scope email", async (lab) => {
    const one = await lab.logIn({ scope: "identify" });
    const user = await lab.json(me, one.tokens.access_token);
    assertMatch(user.id, /^[1-9]\d{17}$/);
    assertEquals([user.username, user.global_name], ["alice", "Alice Adler"]);
    assertEquals(["email" in user, "verified" in user], [false, false]);
    const two = await lab.logIn({ scope: "identify email" });
    const more = await lab.json(me, two.tokens.access_token);
    assertEquals([more.id, more.email, more.verified], [user.id, "alice@example.com", true]);
  });

  it.inLab("discord.authorization: X3: describes the authorization of a token", async (lab) => {
    const { tokens } = await lab.logIn({ scope: "identify guilds" });
    const expires = new Date(lab.clock.now() + 604_800_000).toISOString().slice(0, 10);
    for (const path of ["/api/oauth2/@me", "/api/v10/oauth2/@me"]) {
      const found = await lab.json(path, tokens.access_token);
      assertEquals(found.application.id, "web");
      assertEquals(found.scopes, ["identify", "guilds"]);
      assertEquals([found.expires.slice(0, 10), found.user.username], [expires, "alice"]);
    }
    const { tokens: other } = await lab.logIn({ scope: "guilds" });
    assertEquals((await lab.json("/api/oauth2/@me", other.access_token)).user, undefined);
    assertEquals((await lab.get("/api/oauth2/@me", "unknown")).status, 401);
  });

  for (const name of ["guilds", "connections"]) {
    it.inLab(`discord.lists: X3: lists no ${name}, for the scope of this name`, async (lab) => {
      const { tokens } = await lab.logIn({ scope: `identify ${name}` });
      for (const path of [`/api/users/@me/${name}`, `/api/v10/users/@me/${name}`]) {
        assertEquals(await lab.json(path, tokens.access_token), []);
      }
      const { tokens: other } = await lab.logIn({ scope: "identify" });
      assertEquals((await lab.get(`/api/users/@me/${name}`, other.access_token)).status, 401);
    });
  }

  it.inLab("discord.escaped: describes the user at /users/%40me as well", async (lab) => {
    const { tokens } = await lab.logIn({ scope: "identify" });
    for (const path of ["/api/users/%40me", "/api/v10/users/%40me"]) {
      assertEquals((await lab.get(path, tokens.access_token)).status, 200);
    }
    for (const path of ["/api/users%2F@me", "/api/users/%2540me"]) {
      assertEquals((await lab.get(path, tokens.access_token)).status, 404);
    }
  });

  it.inLab("discord.user: refuses a token without identify, and no token", async (lab) => {
    const { tokens } = await lab.logIn({ scope: "guilds" });
    for (const token of [tokens.access_token, "unknown"]) {
      const response = await lab.get(me, token);
      const expected = [401, { message: "401: Unauthorized", code: 0 }];
      assertEquals([response.status, await response.json()], expected);
    }
  });
});
