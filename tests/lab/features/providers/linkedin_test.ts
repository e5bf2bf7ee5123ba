import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { describe } from "node:test";
import type { HallpassOptions } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { callback, openProvider, webClient } from "../../../support/provider_login.ts";
import { assertFindings, assertLeniency } from "../../../support/reported.ts";

const it = itWith({ inLab: () => open() });

const scope = "openid profile email";
const open = (options: HallpassOptions = {}) => openProvider("linkedin", options);

describe("A lab that plays LinkedIn", () => {
  it("linkedin.issuer: may be on the host of LinkedIn", async () => {
    await using lab = await open({ issuer: "https://www.linkedin.com/oauth" });
    assertEquals(lab.issuer, "https://www.linkedin.com/oauth");
    const played = await lab.json("/oauth/.well-known/openid-configuration");
    assertEquals(played.issuer, lab.issuer);
  });

  it.inLab("linkedin.claims: has these claims and no other", async (lab) => {
    const { tokens } = await lab.logIn({ scope, nonce: "n" });
    const { payload } = await lab.verify(tokens.id_token, "/oauth/openid/jwks");
    assertEquals(Object.keys(payload).sort(), [
      ...["aud", "email", "email_verified", "exp", "family_name", "given_name", "iat", "iss"],
      ...["locale", "name", "nonce", "picture", "sub"],
    ]);
    const user = await lab.json("/v2/userinfo", tokens.access_token);
    const expected = [payload.sub, "Alice Adler", "alice@example.com"];
    assertEquals([user.sub, user.name, user.email], expected);
    assertEquals(user.preferred_username, undefined);
  });

  it.inLab("linkedin.scopes: refuses r_liteprofile, which older applications ask for", async (lab) => {
    const refused = await lab.callback({ scope: "r_liteprofile" });
    assertEquals(refused.error, "invalid_scope");
    const posts = await lab.logIn({ scope: "openid w_member_social" });
    assertEquals(posts.tokens.scope, "openid w_member_social");
  });

  it("linkedin.pairwise: has another sub for each application", async () => {
    const redirectUris = ["https://other.example/callback"];
    const other = { ...webClient, id: "other", redirectUris };
    await using lab = await open({ clients: [webClient, other] });
    const subject = async (client: string) =>
      decodeJwt((await lab.mint({ kind: "id", sub: "alice", scope, client })).token).sub;
    assertNotEquals(await subject("web"), await subject("other"));
  });

  it.inLab("linkedin.opaque linkedin.no_refresh linkedin.code: lasts for 60 days, and is not refreshed", async (lab) => {
    const { tokens, callback: { code = "" } } = await lab.logIn({ scope });
    assertEquals([tokens.expires_in, tokens.access_token.length], [5184000, 500]);
    assertEquals(tokens.refresh_token, undefined);
    assertMatch(code, /^AQ[A-Za-z0-9]{190}$/);
    const late = await lab.callback({ scope });
    lab.clock.advance("601s");
    assertEquals((await lab.redeem(late.code)).body.error, "invalid_redirect_uri");
  });

  it("linkedin.products: X4: names what it does not play", async () => {
    await using lab = await open({ hosts: true });
    for (const path of ["/v2/me", "/v2/emailAddress", "/rest/posts"]) {
      const response = await lab.fetch(`https://api.linkedin.com${path}`);
      assertEquals(response.status, 404);
      assertMatch(await response.text(), /does not play this path of the provider: .*\/v2\/me/);
    }
    assertEquals((await lab.fetch("https://api.linkedin.com/v2/userinfo")).status, 401);
  });

  it.inLab("linkedin.query: X3: takes the form of a token request in its query", async (lab) => {
    const { code = "" } = await lab.callback({ scope });
    const form = new URLSearchParams({
      ...{ grant_type: "authorization_code", redirect_uri: callback, code },
      ...{ client_id: webClient.id, client_secret: webClient.secret ?? "" },
    });
    const url = `${lab.tokenUrl}?${form}`;
    const tokens = await (await lab.fetch(url, { method: "POST" })).json();
    assertMatch(tokens.access_token, /^AQ/);
    assertFindings(lab, ["secret-in-uri", "nonce-instead-of-challenge"]);
    assertLeniency(lab, "dialect.clientRequests.queryForm");
    const twice = await lab.fetch(url, { method: "POST", body: form });
    assertEquals(twice.status, 400);
  });

  it.inLab("linkedin.cancelled: sends user_cancelled_authorize for a user who refuses", async (lab) => {
    lab.signIn("alice", { decision: "deny" });
    const refused = await lab.callback({ scope });
    assertEquals(refused.error, "user_cancelled_authorize");
    assertEquals([refused.state, refused.code], ["a-state", undefined]);
  });
});
