import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe } from "node:test";
import { hallpass, type HallpassOptions } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { loggedIn, openProvider, webClient } from "../../../support/provider_login.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({ inLab: () => open(), afterLogin: () => loggedIn(open(), { scope }) });

const scope = "openid profile email";
const open = (options: HallpassOptions = {}) => openProvider("okta", options);

describe("A lab that plays Okta", () => {
  it.inLab("okta.issuer: has the id of an authorization server, which a test may choose", async (lab) => {
    assertEquals(lab.issuer, "https://hallpass.test/oauth2/default");
    await using other = await open({ issuer: "https://dev-1.okta.com/oauth2/aus1" });
    assertEquals(other.issuer, "https://dev-1.okta.com/oauth2/aus1");
  });

  it.inLab("okta.paths: lets clients push at /v1/par", async (lab) => {
    const wrong = { client_secret: "" };
    assertEquals((await lab.form(`${lab.issuer}/v1/par`, wrong)).status, 401);
  });

  it("okta.ciba: asks users at /v1/bc/authorize for clients that poll", needs("ciba"), async () => {
    await using lab = await hallpass({ provider: "okta" });
    const send = (path: string, fields: Record<string, string>) =>
      lab.fetch(`${lab.issuer}${path}`, {
        method: "POST",
        headers: { Authorization: `Basic ${btoa("demo-agent:demo-agent-secret")}` },
        body: new URLSearchParams(fields),
      });
    const begun = await send("/v1/bc/authorize", { scope: "openid", login_hint: "alice" });
    const { auth_req_id } = await begun.json();
    await lab.approve("alice");
    const polled = { grant_type: "urn:openid:params:grant-type:ciba", auth_req_id };
    const { id_token } = await (await send("/v1/token", polled)).json();
    assertMatch(decodeJwt(id_token).sub ?? "", /^00u/);
  });

  it.inLab("okta.access_token okta.no_typ: has a token in the shape of Okta that verifies", async (lab) => {
    const { tokens } = await lab.logIn({ scope });
    assertEquals(Object.keys(decodeProtectedHeader(tokens.access_token)).sort(), ["alg", "kid"]);
    assertEquals(Object.keys(decodeProtectedHeader(tokens.id_token)).sort(), ["alg", "kid"]);
    const keys = `${lab.issuer}/v1/keys`;
    const { payload } = await lab.verify(tokens.access_token, keys, "api://default");
    assertEquals(Object.keys(payload).sort(), [
      ...["aud", "auth_time", "cid", "exp", "iat", "iss", "jti", "scp", "sub", "uid", "ver"],
    ]);
    assertEquals([payload.cid, payload.ver, payload.scp], ["web", 1, scope.split(" ")]);
    const userinfo = await lab.json(`${lab.issuer}/v1/userinfo`, tokens.access_token);
    assertEquals(userinfo.sub, payload.uid);
  });

  it.inLab("okta.paths okta.no_typ: signs out with the ID token as the client got it", async (lab) => {
    const { tokens } = await lab.logIn({ scope });
    const post_logout_redirect_uri = "https://app.example/";
    const logout = (id_token_hint: string) => {
      const query = new URLSearchParams({ id_token_hint, post_logout_redirect_uri });
      return lab.fetch(`${lab.issuer}/v1/logout?${query}`, { redirect: "manual" });
    };
    const response = await logout(tokens.id_token);
    assertEquals(response.headers.get("Location"), post_logout_redirect_uri);
    assertEquals((await logout(`${tokens.id_token}x`)).status, 400);
  });

  it.afterLogin("okta.user_id: has ids of users that begin with 00u", async ({ tokens }) => {
    assertMatch(decodeJwt(tokens.id_token).sub ?? "", /^00u[A-Za-z0-9]{17}$/);
  });

  it.afterLogin("okta.audience okta.lifetime: are for an API that a test may choose, for an hour", async ({ tokens }) => {
    assertEquals([decodeJwt(tokens.access_token).aud, tokens.expires_in], ["api://default", 3600]);
    const aud = "https://api.example.com";
    await using other = await open({
      defaultResource: aud,
      dialect: { accessToken: { set: { aud } } },
      lifetimes: { accessToken: "5m" },
    });
    const own = await other.logIn({ scope });
    assertEquals([decodeJwt(own.tokens.access_token).aud, own.tokens.expires_in], [aud, 300]);
  });

  it.afterLogin("okta.id_token: has ver, idp and the claims of the scopes", async ({ tokens }) => {
    const claims = decodeJwt(tokens.id_token);
    assertEquals([claims.ver, claims.name, claims.acr], [1, "Alice Adler", undefined]);
    assertMatch(String(claims.idp), /^00o/);
    assertMatch(String(claims.jti), /^ID\./);
    assert(claims.at_hash && claims.amr && claims.auth_time);
  });

  it.inLab("okta.offline_access: sends a refresh token with that scope alone", async (lab) => {
    assertEquals((await lab.logIn({ scope })).tokens.refresh_token, undefined);
    const { tokens } = await lab.logIn({ scope: `${scope} offline_access` });
    const { body: refreshed } = await lab.refresh(tokens.refresh_token);
    assertEquals(decodeJwt(refreshed.access_token).cid, "web");
  });

  it.inLab("okta.basic: Z4: takes a colon after Basic, as a strategy of Passport writes it", async (lab) => {
    const send = async (header: string) => {
      const body = new URLSearchParams({ token: "unknown" });
      const headers = { Authorization: header };
      return await lab.fetch(`${lab.issuer}/v1/revoke`, { method: "POST", headers, body });
    };
    const pair = btoa(`${webClient.id}:${webClient.secret}`);
    const headers = [`Basic: ${pair}`, `Basic: ${btoa("web:wrong")}`, `Basic; ${pair}`];
    const statuses = await Promise.all(headers.map(async (each) => (await send(each)).status));
    assertEquals(statuses, [200, 401, 401]);
  });
});
