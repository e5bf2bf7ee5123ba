import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { createLocalJWKSet, decodeJwt, jwtVerify, type JWTVerifyResult } from "jose";
import { describe } from "node:test";
import type { TestLab } from "../../../../src/lab/testing/mod.ts";
import { leftHalf } from "../../../../src/server/util/crypto/hash.ts";
import {
  clientSecret,
  formOf,
  openApple,
  requestAppleTokens,
  servicesId,
} from "../../../support/apple_login.ts";
import { itWith } from "../../../support/it_with.ts";
import { callbackOf, playedStatus } from "../../../support/provider_login.ts";
import { assertLeniency } from "../../../support/reported.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({
  inLab: () => openApple(),
  withResponseTypes: needs("response_types"),
  inLabWithResponseTypes: { ...needs("response_types"), open: () => openApple() },
  inLabWithSnapshots: { ...needs("snapshots"), open: () => openApple() },
});

const scope = "name email";

/** A user who hides her address. */
const hidden = [{
  name: "alice",
  claims: { email: "a@b.example", email_verified: true, is_private_email: true },
}];
const relayed = /^[0-9a-f]{32}@privaterelay\.appleid\.com$/;

async function tokensOf(lab: TestLab, scopes = scope) {
  const { code = "" } = await formOf(lab, scopes);
  return (await requestAppleTokens(lab, { code })).body;
}

async function verifyIdToken(lab: TestLab, idToken: string): Promise<JWTVerifyResult> {
  const keys = createLocalJWKSet(await (await lab.fetch(`${lab.issuer}/auth/keys`)).json());
  return await jwtVerify(idToken, keys, {
    ...{ issuer: lab.issuer, audience: servicesId },
    currentDate: new Date(lab.clock.now()),
  });
}

describe("A lab that plays Apple", () => {
  for (const path of ["userinfo", "introspect", "logout", "device_authorization", "device"]) {
    it.inLab(`apple.paths: has no endpoint of the lab at /oauth2/${path}`, async (lab) => {
      for (const method of ["GET", "POST"]) {
        const response = await lab.fetch(`${lab.issuer}/oauth2/${path}`, { method });
        assertEquals(response.status, 404);
      }
    });
  }

  it.inLab("apple.scopes apple.id_token apple.no_typ: returns an ID token without openid", async (lab) => {
    const { id_token, ...others } = await tokensOf(lab);
    assertEquals(Object.keys(others).sort(), [
      ...["access_token", "expires_in", "refresh_token", "token_type"],
    ]);
    const { payload, protectedHeader } = await verifyIdToken(lab, id_token);
    assertEquals(Object.keys(protectedHeader).sort(), ["alg", "kid"]);
    assertEquals(Object.keys(payload).sort(), [
      ...["at_hash", "aud", "auth_time", "email", "email_verified", "exp", "iat", "iss"],
      ...["nonce", "nonce_supported", "sub"],
    ]);
    const { iat = 0, exp = 0, nonce_supported } = payload;
    assertEquals([exp - iat, nonce_supported], [86400, true]);
  });

  it.inLab("apple.scopes: needs no scope at all, and then has no address", async (lab) => {
    const { code = "" } = await lab.callback({ client_id: servicesId, nonce: "n-1" });
    const { id_token } = (await requestAppleTokens(lab, { code })).body;
    const { email, nonce } = decodeJwt(id_token);
    assertEquals([email, nonce], [undefined, "n-1"]);
  });

  it.inLab("apple.sub: has three groups, the same for every login", async (lab) => {
    const [first, second] = [await tokensOf(lab), await tokensOf(lab)]
      .map(({ id_token }) => decodeJwt(id_token).sub);
    assertMatch(String(first), /^\d{6}\.[0-9a-f]{32}\.\d{4}$/);
    assertEquals(first, second);
  });

  const modes: Array<[scope: string, mode: Record<string, string>]> = [
    ["name", {}],
    ["email", { response_mode: "query" }],
    ["openid email", { response_mode: "fragment" }],
  ];
  for (const [scope, mode] of modes) {
    it.inLab(`apple.form_post: refuses '${scope}' with ${JSON.stringify(mode)} on its page`, async (lab) => {
      const response = await lab.ask({ client_id: servicesId, scope, ...mode });
      assertEquals([response.status, response.headers.get("Location")], [400, null]);
      assertMatch(await response.text(), /response_mode must be form_post when name or email/);
      assertEquals(lab.requests().at(-1)?.refusal?.parameter, "response_mode");
    });
  }

  it.inLab("apple.form_post: asks for no form without these scopes", async (lab) => {
    const parameters = await lab.callback({ client_id: servicesId, scope: "openid" });
    assertEquals(Object.keys(parameters), ["code", "state"]);
  });

  const response_type = "code id_token";

  it.withResponseTypes("apple.code_id_token: sends code, ID token, state, and user once, in the form", async () => {
    await using lab = await openApple({ users: hidden });
    const form = await formOf(lab, scope, { response_type, nonce: "n" });
    assertEquals(Object.keys(form).sort(), ["code", "id_token", "state", "user"]);
    const { code = "", id_token = "" } = form;
    const { payload, protectedHeader } = await verifyIdToken(lab, id_token);
    assertEquals(Object.keys(protectedHeader).sort(), ["alg", "kid"]);
    assertEquals(Object.keys(payload).sort(), [
      ...["aud", "auth_time", "c_hash", "email", "email_verified", "exp", "iat"],
      ...["is_private_email", "iss", "nonce", "nonce_supported", "sub"],
    ]);
    assertEquals([payload.c_hash, payload.nonce], [await leftHalf(code, "RS256"), "n"]);
    assertMatch(String(payload.email), relayed);
    const redeemed = (await requestAppleTokens(lab, { code })).body;
    assertEquals(decodeJwt(redeemed.id_token).sub, payload.sub);
  });

  it.inLabWithResponseTypes("apple.code_id_token: needs no nonce, and a later code has no ID token", async (lab) => {
    const form = await formOf(lab, scope, { response_type, nonce: "" });
    assertEquals(decodeJwt(form.id_token ?? "").nonce, undefined);
    assertEquals(Object.keys(await formOf(lab, scope)).sort(), ["code", "state"]);
    assertLeniency(lab, "responseTypes: code id_token");
    assertLeniency(lab, "dialect.clientRequests.nonce: optional");
  });

  it.withResponseTypes("apple.code_id_token: comes in a fragment without scopes, and never in a query", async () => {
    await using lab = await openApple();
    const ask = async (more: Record<string, string>) => {
      const response = await lab.ask({ client_id: servicesId, response_type, ...more });
      return new URL(response.headers.get("Location") ?? "");
    };
    for (const more of [{}, { response_mode: "fragment" }]) {
      const { hash, search } = await ask(more);
      const members = [...new URLSearchParams(hash.slice(1)).keys()].sort();
      assertEquals([members, search], [["code", "id_token", "state"], ""]);
    }
    const { searchParams } = await ask({ response_mode: "query" });
    assertEquals(searchParams.get("error"), "invalid_request");
    assertEquals(searchParams.get("code"), null);
  });

  it.inLab("apple.code_id_token: does not send an ID token alone", async (lab) => {
    const refused = await formOf(lab, scope, { response_type: "id_token" });
    assertEquals(refused.error, "unsupported_response_type");
  });

  it.inLab("apple.user: has the name and the address once, and never again", async (lab) => {
    const { user = "", code, state } = await formOf(lab, scope);
    assertEquals([typeof code, state], ["string", "a-state"]);
    assertEquals(JSON.parse(user), {
      name: { firstName: "Alice", lastName: "Adler" },
      email: "alice@example.com",
    });
    assertEquals(Object.keys(await formOf(lab, scope)).includes("user"), false);
    await lab.reset();
    assertEquals(Object.keys(await formOf(lab, scope)).includes("user"), true);
  });

  it.inLab("apple.user: has what the scopes cover, for each client and user anew", async (lab) => {
    const first = lab.clients.get(servicesId);
    lab.clients.put({ ...first, id: "com.example.other" });
    assertEquals(JSON.parse((await formOf(lab, "email")).user ?? ""), {
      email: "alice@example.com",
    });
    assertEquals(Object.keys(await formOf(lab, "name")).includes("user"), false);
    const other = await formOf(lab, "name", { client_id: "com.example.other" });
    assertEquals(JSON.parse(other.user ?? ""), { name: { firstName: "Alice", lastName: "Adler" } });
  });

  it.inLabWithSnapshots("apple.user: comes again after the snapshot of a time before, and not after a later one", async (lab) => {
    const before = await lab.snapshot();
    await formOf(lab, scope);
    const after = await lab.snapshot();
    await lab.restore(before);
    assertEquals(Object.keys(await formOf(lab, scope)).includes("user"), true);
    await lab.restore(after);
    assertEquals(Object.keys(await formOf(lab, scope)).includes("user"), false);
  });

  it("apple.relay: replaces an address that the user hides, in token and form", async () => {
    await using lab = await openApple({ users: hidden });
    const { user = "", code = "" } = await formOf(lab, scope);
    const { id_token } = (await requestAppleTokens(lab, { code })).body;
    const { email, is_private_email } = decodeJwt(id_token);
    assertMatch(String(email), relayed);
    assertEquals([JSON.parse(user).email, is_private_email], [email, "true"]);
    assertEquals((await tokensOf(lab, "name")).email, undefined);
  });

  it("apple.texts: are booleans if the test says so", async () => {
    const text = await openApple({ users: hidden });
    assertEquals(decodeJwt((await tokensOf(text)).id_token).email_verified, "true");
    await text.close();
    const set = {
      email_verified: "{token.email_verified}",
      is_private_email: "{token.is_private_email}",
    };
    await using lab = await openApple({ users: hidden, dialect: { idToken: { set } } });
    const { email_verified, is_private_email } = decodeJwt((await tokensOf(lab)).id_token);
    assertEquals([email_verified, is_private_email], [true, true]);
  });

  it.inLab("apple.secret: may be used again, and may name several audiences", async (lab) => {
    const aud = ["https://appleid.apple.com"];
    const secret = await clientSecret(lab, { aud });
    for (const _ of [1, 2]) {
      const { code = "" } = await formOf(lab, scope);
      assertEquals((await requestAppleTokens(lab, { code }, secret)).status, 200);
    }
  });

  const day = 86400;
  const wrong: Array<[what: string, changes: Record<string, unknown>]> = [
    ["expires in seven months", { exp: Math.floor(Date.now() / 1000) + 213 * day }],
    ["has expired", { exp: 1_600_000_000 }],
    ["never expires", { exp: undefined }],
    ["is for another audience", { aud: "https://appleid.apple.com/auth/token" }],
    ["is about another client", { sub: "com.example.other" }],
    ["names no team", { iss: undefined }],
  ];
  for (const [what, changes] of wrong) {
    it.inLab(`apple.secret apple.errors: refuses one that ${what}, with the status 400`, async (lab) => {
      const { code = "" } = await formOf(lab, scope);
      const secret = await clientSecret(lab, changes);
      const response = await requestAppleTokens(lab, { code }, secret);
      assertEquals([response.status, response.body], [400, { error: "invalid_client" }]);
      assertEquals((await requestAppleTokens(lab, { code })).status, 200);
    });
  }

  it.inLab("apple.secret: refuses a text, a JWT of another key, and a changed JWT", async (lab) => {
    const { code = "" } = await formOf(lab, scope);
    const right = await clientSecret(lab);
    const [header, payload] = right.split(".");
    const other = await clientSecret(lab, { iss: "OTHERTEAM1" });
    const mixed = `${header}.${payload}.${other.split(".")[2]}`;
    for (const secret of ["a-text", await clientSecret(lab, {}, { kid: "UNKNOWN123" }), mixed]) {
      const { body } = await requestAppleTokens(lab, { code }, secret);
      assertEquals(body.error, "invalid_client");
    }
  });

  it.inLab("apple.refresh apple.opaque: returns an ID token, and no new refresh token", async (lab) => {
    const { refresh_token, access_token, expires_in } = await tokensOf(lab);
    assertEquals([access_token.includes("."), expires_in], [false, 3600]);
    lab.clock.advance("20d");
    const fields = { grant_type: "refresh_token", refresh_token };
    for (const _ of [1, 2]) {
      const refreshed = (await requestAppleTokens(lab, fields)).body;
      assertEquals([refreshed.refresh_token, typeof refreshed.id_token], [undefined, "string"]);
      assertNotEquals(refreshed.access_token, access_token);
    }
  });

  it.inLab("apple.paths: revokes at /auth/revoke with the same kind of secret", async (lab) => {
    const { refresh_token } = await tokensOf(lab);
    const secret = await clientSecret(lab);
    const body = new URLSearchParams({
      ...{ client_id: servicesId, client_secret: secret, token: refresh_token },
    });
    const revoked = await lab.fetch(`${lab.issuer}/auth/revoke`, { method: "POST", body });
    assertEquals(revoked.status, 200);
    const again = await requestAppleTokens(lab, { grant_type: "refresh_token", refresh_token });
    assertEquals(again.body, { error: "invalid_grant" });
  });

  it("apple.cancelled: says that the user cancelled", async () => {
    await using lab = await openApple({ signIn: undefined });
    const query = new URLSearchParams({
      ...{ response_type: "code", client_id: servicesId, state: "s", scope },
      ...{ redirect_uri: "https://app.example/callback", response_mode: "form_post" },
    });
    const result = await lab.authorize(`${lab.issuer}/auth/authorize?${query}`, {
      ...{ user: "alice", decision: "deny" },
    });
    assertEquals(result.error, "user_cancelled_authorize");
  });

  it.inLab("apple.response: redirects with code and state, without PKCE", async (lab) => {
    const response = await lab.ask({ client_id: servicesId });
    assertEquals(response.status, playedStatus);
    assertEquals(Object.keys(callbackOf(response)), ["code", "state"]);
  });
});
