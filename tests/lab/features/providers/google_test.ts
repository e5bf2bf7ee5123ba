import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt, jwtVerify } from "jose";
import { X509Certificate } from "node:crypto";
import { describe } from "node:test";
import type { HallpassOptions } from "../../../../src/lab/testing/mod.ts";
import { deviceCodeGrantType } from "../../../../src/server/protocol/grant_types.ts";
import { itWith } from "../../../support/it_with.ts";
import { callback, clientAt, openProvider, webClient } from "../../../support/provider_login.ts";
import { assertClean, assertLeniency } from "../../../support/reported.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({
  inLab: () => open(),
  inLabWithFaults: { ...needs("faults"), open: () => open() },
});

const apis = "https://www.googleapis.com/auth";
const calendar = `${apis}/calendar.readonly`;
const drive = `${apis}/drive.file`;
const scope = "openid email profile";

const open = (options: HallpassOptions = {}) => openProvider("google", options);

describe("A lab that plays Google", () => {
  it.inLab("google.paths: has each endpoint that the metadata names", async (lab) => {
    const { keys } = await lab.json("/oauth2/v3/certs");
    assertEquals(keys.length, 1);
    const { tokens } = await lab.logIn({ scope });
    for (const path of ["/v1/userinfo", "/oauth2/v3/userinfo"]) {
      assertEquals((await lab.json(path, tokens.access_token)).email, "alice@example.com");
    }
    assertEquals((await lab.form("/revoke", { token: tokens.access_token })).status, 200);
    assertEquals((await lab.form("/device/code")).status, 400);
  });

  it.inLab("responds to HEAD with the length that GET has, and without a body", async (lab) => {
    const { tokens } = await lab.logIn({ scope });
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    for (const path of ["/v1/userinfo", "/.well-known/openid-configuration"]) {
      const url = lab.issuer + path;
      const { byteLength } = await (await lab.fetch(url, { headers })).arrayBuffer();
      const head = await lab.fetch(url, { method: "HEAD", headers });
      assertEquals(head.headers.get("Content-Length"), String(byteLength), path);
      assertEquals(await head.text(), "");
    }
  });

  it.inLab("google.libraries: has the paths that libraries have in their code", async (lab) => {
    for (const token of ["/o/oauth2/token", "/oauth2/v4/token"]) {
      const { tokens } = await clientAt(lab, ["/o/oauth2/auth", token]).logIn({ scope });
      assertMatch(tokens.access_token, /^ya29\./);
    }
  });

  it.inLabWithFaults("google.libraries: has the signing key in a certificate, by its id", async (lab) => {
    const { id_token = "" } = await lab.mint({ sub: "alice", client: "web", scope: "openid" });
    const certificates = await lab.json("/oauth2/v1/certs");
    const { keys } = await lab.json("/oauth2/v3/certs");
    assertEquals(Object.keys(certificates), keys.map(({ kid }: { kid: string }) => kid));
    const { publicKey } = new X509Certificate(Object.values<string>(certificates)[0] ?? "");
    const currentDate = new Date(lab.clock.now());
    assertEquals((await jwtVerify(id_token, publicKey, { currentDate })).payload.iss, lab.issuer);
    lab.fault("jwks.server_error", { times: 1 });
    assertEquals((await lab.fetch(`${lab.issuer}/oauth2/v1/certs`)).status, 500);
  });

  it.inLab("google.scopes: refuses offline_access, and takes URLs", async (lab) => {
    const refused = await lab.callback({ scope: `${scope} offline_access` });
    assertEquals(refused.error, "invalid_scope");
    const { tokens } = await lab.logIn({ scope: `openid ${calendar}` });
    assertEquals(tokens.scope, `openid ${calendar}`);
  });

  it.inLab("google.sub: has a subject of digits for each user", async (lab) => {
    const { tokens } = await lab.logIn({ scope });
    const { sub } = decodeJwt(tokens.id_token);
    assertMatch(sub ?? "", /^[1-9]\d{20}$/);
    lab.users.put({ name: "zoe" });
    lab.signIn("zoe");
    const other = await lab.logIn({ scope });
    assertMatch(decodeJwt(other.tokens.id_token).sub ?? "", /^[1-9]\d{20}$/);
    assert(decodeJwt(other.tokens.id_token).sub !== sub);
  });

  it.inLab("google.id_token: has a signed ID token with these claims and no other", async (lab) => {
    const { tokens } = await lab.logIn({ scope, nonce: "n" });
    const { payload } = await lab.verify(tokens.id_token, "/oauth2/v3/certs");
    assertEquals(Object.keys(payload).sort(), [
      ...["at_hash", "aud", "azp", "email", "email_verified", "exp", "family_name"],
      ...["given_name", "iat", "iss", "name", "nonce", "picture", "sub"],
    ]);
    assertEquals([payload.azp, payload.email_verified], ["web", true]);
    const alone = await lab.logIn({ scope: "openid" });
    assertEquals(decodeJwt(alone.tokens.id_token).email, undefined);
  });

  it.inLab("google.id_token: mints ID tokens of the same form", async (lab) => {
    const { token } = await lab.mint({ kind: "id", sub: "alice", scope, client: "web" });
    const { azp, acr, name } = decodeJwt(token);
    assertEquals([azp, acr, name], ["web", undefined, "Alice Adler"]);
  });

  it("google.hd: names the domain of a user who has one", async () => {
    const users = [{ name: "zoe", claims: { hd: "example.org", email: "zoe@example.org" } }];
    await using lab = await open({ users, signIn: "zoe" });
    const { tokens } = await lab.logIn({ scope });
    assertEquals(decodeJwt(tokens.id_token).hd, "example.org");
    assertEquals((await lab.json("/v1/userinfo", tokens.access_token)).hd, "example.org");
  });

  it.inLab("google.userinfo: has the claims of the profile and no other", async (lab) => {
    const { tokens } = await lab.logIn({ scope });
    assertEquals(Object.keys(await lab.json("/v1/userinfo", tokens.access_token)).sort(), [
      ...["email", "email_verified", "family_name", "given_name", "name", "picture", "sub"],
    ]);
  });

  it.inLab("google.userinfo_v2: has other names at the older paths", async (lab) => {
    const { tokens } = await lab.logIn({ scope });
    const user = await lab.json("/oauth2/v2/userinfo", tokens.access_token);
    assertEquals([user.id, user.verified_email], [decodeJwt(tokens.id_token).sub, true]);
    assertEquals("hd" in user, false);
  });

  const identityScopes: Array<[requested: string, granted: string]> = [
    ["email", "openid email"],
    ["profile email", "openid profile email"],
    [`${apis}/userinfo.email ${apis}/userinfo.profile`, "openid email profile"],
  ];
  for (const [requested, granted] of identityScopes) {
    it(`google.identity: Z6: takes the scope '${requested}' for '${granted}'`, async () => {
      await using lab = await open();
      const { tokens } = await lab.logIn({ scope: requested });
      assertEquals(tokens.scope, granted);
      const user = await lab.json("/v1/userinfo", tokens.access_token);
      assertEquals(user.email, "alice@example.com");
      assertClean(lab, { refused: true });
    });
  }

  it.inLab("google.revoke: Z1: revokes for whoever has a token, and refuses one that is unknown", async (lab) => {
    const asked = { scope, access_type: "offline" };
    const { tokens } = await lab.logIn(asked);
    const revoke = (token: string) =>
      lab.fetch(`${lab.issuer}/revoke?${new URLSearchParams({ token })}`, { method: "POST" });
    assertEquals((await revoke(tokens.access_token)).status, 200);
    for (const token of [tokens.access_token, tokens.refresh_token, "unknown"]) {
      const refused = await revoke(token);
      assertEquals([refused.status, (await refused.json()).error], [400, "invalid_token"]);
    }
    assertClean(lab);
  });

  for (const names of [["client_id", "client_secret"], ["clientId", "clientSecret"]] as const) {
    it.inLab(`google.json: X3: takes JSON with ${names.join(" and ")}`, async (lab) => {
      const { code } = await lab.callback({ scope });
      const [id, secret] = names;
      const response = await lab.fetch(lab.tokenUrl, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          ...{ grant_type: "authorization_code", redirect_uri: callback, code },
          ...{ [id]: webClient.id, [secret]: webClient.secret },
        }),
      });
      assertMatch((await response.json()).access_token, /^ya29/);
      assertClean(lab, { refused: true });
      assertLeniency(lab, "dialect.clientRequests.json");
    });
  }

  it("google.device: Z5: has a verification_url for a device, and takes the older grant", async () => {
    const clients = [{ ...webClient, grantTypes: [deviceCodeGrantType] }];
    await using lab = await open({ clients });
    const begun = await lab.form("/device/code", { scope });
    const { device_code: code, user_code, verification_url, ...others } = begun.body;
    assertEquals(Object.keys(others), ["expires_in", "interval"]);
    await lab.fetch(`${verification_url}?user_code=${user_code}`);
    const grant_type = "http://oauth.net/grant_type/device/1.0";
    const tokens = await lab.token({ grant_type, code });
    assertEquals(tokens.body.scope, scope);
    assertClean(lab, { refused: true });
  });

  it.inLab("google.query: Z6: takes an access token in a query, and the report says that it may", async (lab) => {
    const { tokens } = await lab.logIn({ scope });
    const query = new URLSearchParams({ access_token: tokens.access_token, alt: "json" });
    for (const path of ["/oauth2/v3/userinfo", "/v1/userinfo", "/oauth2/v2/userinfo"]) {
      assertEquals((await lab.json(`${path}?${query}`)).email, "alice@example.com", path);
    }
    assertClean(lab, { refused: true });
    assertLeniency(lab, "dialect.clientRequests.queryToken");
    query.set("access_token", "unknown");
    assertEquals((await lab.get(`/v1/userinfo?${query}`)).status, 401);
  });

  it.inLab("google.opaque: has credentials that begin as those of Google", async (lab) => {
    const { tokens, callback } = await lab.logIn({ scope, access_type: "offline" });
    assertMatch(tokens.access_token, /^ya29\.[A-Za-z0-9]{160}$/);
    assertMatch(tokens.refresh_token, /^1\/\/0/);
    assertMatch(callback.code ?? "", /^4\/0/);
    assertEquals(tokens.expires_in, 3600);
  });

  it.inLab("google.offline: sends a refresh token once, and again only after another consent", async (lab) => {
    const refreshTokenFor = async (changes: Record<string, string>) =>
      typeof (await lab.logIn({ scope, ...changes })).tokens.refresh_token;
    assertEquals(await refreshTokenFor({}), "undefined");
    assertEquals(await refreshTokenFor({ access_type: "offline" }), "string");
    assertEquals(await refreshTokenFor({ access_type: "offline" }), "undefined");
    const again = { access_type: "offline", prompt: "consent" };
    assertEquals(await refreshTokenFor(again), "string");
    assertEquals(await refreshTokenFor({ prompt: "consent" }), "undefined");
    lab.signIn("bob");
    assertEquals(await refreshTokenFor({ access_type: "offline" }), "string");
  });

  it("google.refresh: returns no new refresh token, and takes the same again", async () => {
    await using lab = await open();
    const { tokens } = await lab.logIn({ scope, access_type: "offline" });
    for (const _ of [1, 2]) {
      const { body } = await lab.refresh(tokens.refresh_token);
      assertMatch(body.access_token, /^ya29\./);
      assertEquals(body.refresh_token, undefined);
    }
  });

  const consents: Array<[scope: string, boxes: string[]]> = [
    [`${scope} ${calendar} ${drive}`, [calendar, drive]],
    [`${scope} ${calendar}`, []],
    [scope, []],
  ];
  for (const [requested, boxes] of consents) {
    it(`google.granular: shows ${boxes.length} boxes for ${requested}`, async () => {
      await using lab = await openProvider("google", { signIn: undefined });
      const url = `${lab.authorizeUrl}?${new URLSearchParams({
        ...{ response_type: "code", client_id: "web", redirect_uri: callback },
        scope: requested,
      })}`;
      const grant = boxes.slice(0, 1);
      const actions = { user: "alice", ...boxes.length > 0 && { grant } };
      const { code = "" } = await lab.authorize(url, actions);
      const expected = boxes.length > 0 ? `${scope} ${calendar}` : requested;
      assertEquals((await lab.redeem(code)).body.scope, expected);
    });
  }
});
