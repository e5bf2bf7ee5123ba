import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { decodeJwt } from "jose";
import { describe } from "node:test";
import type { HallpassOptions } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { callback, openProvider, webClient } from "../../../support/provider_login.ts";
import { assertClean } from "../../../support/reported.ts";

const it = itWith({ inLab: () => open() });

const scope = "openid profile email";
const open = (options: HallpassOptions = {}) => openProvider("slack", options);

describe("A lab that plays Slack", () => {
  it.inLab("slack.claims slack.sub: has a signed ID token with claims of Slack", async (lab) => {
    const { tokens } = await lab.logIn({ scope, nonce: "n" });
    const { payload } = await lab.verify(tokens.id_token, "/openid/connect/keys");
    assertMatch(payload.sub ?? "", /^U[0-9A-Z]{10}$/);
    assertEquals(payload["https://slack.com/user_id"], payload.sub);
    const { at_hash, auth_time, nonce, email, acr, sid } = payload;
    assertEquals([typeof at_hash, typeof auth_time, nonce], ["string", "number", "n"]);
    assertEquals([email, acr, sid], ["alice@example.com", undefined, undefined]);
  });

  it("slack.team: names a workspace, which a test may choose", async () => {
    const claim = "https://slack.com/team_id";
    await using lab = await open();
    const { tokens } = await lab.logIn({ scope });
    assertMatch(String(decodeJwt(tokens.id_token)[claim]), /^T[0-9A-Z]{10}$/);
    await using other = await open({ policies: { claims: () => ({ [claim]: "T0HALLPASS0" }) } });
    const own = await other.logIn({ scope });
    assertEquals(decodeJwt(own.tokens.id_token)[claim], "T0HALLPASS0");
  });

  it.inLab("slack.id_token_lifetime: has ID tokens of five minutes", async (lab) => {
    const { exp = 0, iat = 0 } = decodeJwt((await lab.logIn({ scope })).tokens.id_token);
    assertEquals(exp - iat, 300);
  });

  it.inLab("slack.scopes: knows no other scope, and asks for openid by default", async (lab) => {
    const refused = await lab.callback({ scope: "users:read" });
    assertEquals(refused.error, "invalid_scope");
    assertMatch((await lab.logIn({})).tokens.id_token, /^ey/);
  });

  it.inLab("slack.ok slack.no_expiry: says ok, and no lifetime", async (lab) => {
    const { tokens } = await lab.logIn({ scope });
    assertEquals(Object.keys(tokens).sort(), ["access_token", "id_token", "ok", "token_type"]);
    lab.clock.advance("364d");
    const user = await lab.json("/api/openid.connect.userInfo", tokens.access_token);
    assertEquals([user.ok, user.name, user.email], [true, "Alice Adler", "alice@example.com"]);
    assertEquals(user["https://slack.com/user_id"], user.sub);
  });

  it.inLab("slack.json: takes JSON for a form, and no grant type for a code", async (lab) => {
    const { code } = await lab.callback({ scope });
    const client = { client_id: webClient.id, client_secret: webClient.secret };
    const response = await lab.fetch(lab.tokenUrl, {
      method: "POST",
      headers: { "Content-Type": "application/json; charset=utf-8" },
      body: JSON.stringify({ ...client, code, redirect_uri: callback }),
    });
    assertEquals((await response.json()).ok, true);
    assertEquals(lab.flows()[0]?.steps.map(({ what }) => what), ["answered", "redeemed"]);
  });

  it.inLab("slack.installations: X4: names what it does not play", async (lab) => {
    const paths = ["/oauth/v2/authorize", "/oauth/authorize", "/api/oauth.v2.access"];
    for (const path of paths) {
      const response = await lab.fetch(`${lab.issuer}${path}?client_id=web`);
      assertEquals(response.status, 404);
      assertMatch(await response.text(), /does not play this path of the provider: Installations/);
    }
    assertThrows(() => assertClean(lab, { refused: true }), Error, "bots, Enterprise Grid");
  });

  it.inLab("slack.opaque slack.code: has credentials of a known form", async (lab) => {
    const { tokens, callback: { code } } = await lab.logIn({ scope });
    assertMatch(tokens.access_token, /^xoxp-[0-9a-f]{64}$/);
    assertMatch(code ?? "", /^\d+\.\d+\.[0-9a-f]{64}$/);
  });

  for (const [token, scope] of [["unknown", ""], [undefined, ""], [undefined, "email"]] as const) {
    const name = scope === "email" ? "a token without openid" : token ?? "no token";
    it.inLab(`slack.errors: answers ok: false with 200 for ${name}`, async (lab) => {
      const minted = scope ? (await lab.mint({ sub: "alice", scope, client: "web" })).token : token;
      const response = await lab.get("/api/openid.connect.userInfo", minted);
      const error = scope ? "missing_scope" : token ? "invalid_auth" : "not_authed";
      assertEquals([response.status, await response.json()], [200, { ok: false, error }]);
      assertEquals(response.headers.get("WWW-Authenticate"), null);
    });
  }
});
