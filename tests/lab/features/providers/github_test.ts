import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import { deviceCodeGrantType } from "../../../../src/server/protocol/grant_types.ts";
import { challenge, verifier } from "../../../support/flow_kit.ts";
import { itWith } from "../../../support/it_with.ts";
import {
  callback,
  callbackOf,
  openProvider,
  type PlayedLab,
  webClient,
} from "../../../support/provider_login.ts";
import { assertClean, assertLeniency, assertReport } from "../../../support/reported.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({
  inLab: () => open(),
  inWholeLab: { ...needs("hooks", "any_client", "redirect_status", "faults"), open: () => open() },
});

const grantTypes = ["authorization_code", deviceCodeGrantType];
const open = () => openProvider("github", { clients: [{ ...webClient, grantTypes }] });
const scope = "read:user user:email";

async function codeOf(lab: PlayedLab, changes: Record<string, string> = {}): Promise<string> {
  return (await lab.callback({ scope, ...changes })).code ?? "";
}

/** Redeems a code as clients of GitHub do: some send neither a grant type nor a redirect URI. */
async function redeem(lab: PlayedLab, fields: Record<string, string>, accept = "application/json") {
  return await lab.token({ grant_type: "authorization_code", ...fields }, { Accept: accept });
}

async function userApi(lab: PlayedLab, path: string, authorization: string): Promise<Response> {
  return await lab.fetch(lab.issuer + path, { headers: { Authorization: authorization } });
}

describe("A lab that plays GitHub", () => {
  it.inLab("github.paths: has its endpoints below /login", async (lab) => {
    const { tokens } = await lab.logIn({ scope });
    assertMatch(tokens.access_token, /^gho_/);
    assertEquals((await lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST" })).status, 404);
    assertEquals((await lab.fetch(`${lab.issuer}/login/device`)).status, 200);
  });

  it("github.hosts: has the API about users at api.github.com", async () => {
    await using lab = await openProvider("github", { hosts: true });
    assertEquals(lab.issuer, "https://github.com");
    const { tokens } = await lab.logIn({ scope });
    const user = await lab.json("https://api.github.com/user", tokens.access_token);
    assertEquals(user.login, "alice");
  });

  it.inLab("github.no_openid: has no metadata, no userinfo and no ID token", async (lab) => {
    for (const path of ["openid-configuration", "oauth-authorization-server"]) {
      assertEquals((await lab.fetch(`${lab.issuer}/.well-known/${path}`)).status, 404);
    }
    const { tokens } = await lab.logIn({ scope });
    assertEquals(tokens.id_token, undefined);
    assertEquals((await lab.fetch(`${lab.issuer}/oauth2/userinfo`)).status, 404);
  });

  const accepts: Array<[accept: string, type: RegExp]> = [
    ["*/*", /^application\/x-www-form-urlencoded/],
    ["application/json", /^application\/json/],
    ["application/vnd.github+json", /^application\/json/],
  ];
  for (const [accept, type] of accepts) {
    it.inLab(`github.form: responds to Accept: ${accept} as GitHub does`, async (lab) => {
      const response = await redeem(lab, { code: await codeOf(lab) }, accept);
      assertMatch(response.headers.get("Content-Type") ?? "", type);
    });
  }

  it.inLab("github.requests: takes JSON for a form, at both endpoints, and no grant type for a code", async (lab) => {
    const client = { client_id: webClient.id, client_secret: webClient.secret };
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    const post = async (path: string, members: Record<string, unknown>) => {
      const body = JSON.stringify({ ...client, ...members });
      return await (await lab.fetch(lab.issuer + path, { method: "POST", headers, body })).json();
    };
    const tokens = await post("/login/oauth/access_token", { code: await codeOf(lab) });
    assertEquals(tokens.token_type, "bearer");
    const device = await post("/login/device/code", { scope: "read:user" });
    assertEquals(device.expires_in, 900);
    const wrong = await post("/login/oauth/access_token", { code: "0123456789abcdef0123" });
    assertEquals(wrong.error, "bad_verification_code");
    assertEquals(lab.flows()[0]?.steps.map(({ what }) => what), ["answered", "redeemed"]);
  });

  it.inLab("github.requests: needs no response type", async (lab) => {
    const query = new URLSearchParams({ client_id: "web", redirect_uri: callback, state: "s" });
    const url = `${lab.authorizeUrl}?${query}`;
    const { code = "" } = callbackOf(await lab.fetch(url, { redirect: "manual" }));
    assertEquals((await redeem(lab, { code })).body.token_type, "bearer");
  });

  it.inLab("github.redirect_uri: X3: takes the one registered where none is named", async (lab) => {
    const query = new URLSearchParams({ client_id: "web", state: "s", nonce: "n" });
    const url = `${lab.authorizeUrl}?${query}`;
    const response = await lab.fetch(url, { redirect: "manual" });
    assertMatch(response.headers.get("Location") ?? "", /^https:\/\/app\.example\/callback\?code=/);
    const { code = "" } = callbackOf(response);
    assertEquals((await redeem(lab, { code })).body.token_type, "bearer");
    assertClean(lab, { refused: true });
    assertLeniency(lab, "dialect.clientRequests.redirectUri: optional");
  });

  it("github.redirect_uri: X3: needs it of an app that has several", async () => {
    const redirectUris = [callback, "https://app.example/other"];
    await using lab = await openProvider("github", { clients: [{ ...webClient, redirectUris }] });
    const url = `${lab.authorizeUrl}?${new URLSearchParams({ client_id: "web", state: "s" })}`;
    const response = await lab.fetch(url, { redirect: "manual" });
    assertEquals(response.status, 400);
  });

  it.inLab("github.bearer github.no_expiry github.comma: sends three members in its form", async (lab) => {
    const response = await redeem(lab, { code: await codeOf(lab) }, "*/*");
    const { access_token = "", ...others } = Object.fromEntries(new URLSearchParams(response.text));
    assertEquals(others, { token_type: "bearer", scope: "read:user,user:email" });
    lab.clock.advance("364d");
    assertEquals((await userApi(lab, "/user", `Bearer ${access_token}`)).status, 200);
  });

  it.inLab("github.comma: takes commas in a request, too", async (lab) => {
    const { tokens } = await lab.logIn({ scope: "read:user,user:email" });
    assertEquals(tokens.scope, "read:user,user:email");
  });

  it.inLab("github.codes: has codes of ten minutes, and codes of devices of fifteen", async (lab) => {
    const code = await codeOf(lab);
    lab.clock.advance("9m");
    assertEquals((await redeem(lab, { code })).body.token_type, "bearer");
    const late = await codeOf(lab);
    lab.clock.advance("11m");
    assertEquals((await redeem(lab, { code: late })).body.error, "bad_verification_code");
    const device = await lab.form("/login/device/code", { scope });
    assertEquals(device.body.expires_in, 900);
  });

  it.inLab("github.gho github.code: has credentials of a known form", async (lab) => {
    const code = await codeOf(lab);
    assertMatch(code, /^[a-f0-9]{20}$/);
    const { access_token } = (await redeem(lab, { code })).body;
    assertMatch(access_token, /^gho_[A-Za-z0-9]{36}$/);
    const minted = await lab.mint({ sub: "alice", scope: "user" });
    assertMatch(minted.token, /^gho_[A-Za-z0-9]{36}$/);
  });

  it.inLab("github.pkce: requires no PKCE, and verifies it with S256", async (lab) => {
    const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
    const wrong = await redeem(lab, { code: await codeOf(lab, pkce) });
    assert(wrong.body.error);
    const right = await redeem(lab, { code: await codeOf(lab, pkce), code_verifier: verifier });
    assertEquals(right.body.token_type, "bearer");
    const plain = { code_challenge: verifier, code_challenge_method: "plain" };
    assertEquals(await codeOf(lab, plain), "");
  });

  it.inLab("github.redirect_uri: needs no redirect_uri at the token endpoint", async (lab) => {
    const code = await codeOf(lab);
    assertEquals((await redeem(lab, { code })).body.token_type, "bearer");
  });

  const refusals: Array<[fact: string, fields: Record<string, string>, error: string]> = [
    ["github.bad_code", { code: "0123456789abcdef0123" }, "bad_verification_code"],
    ["github.secret", { code: "x", client_secret: "wrong" }, "incorrect_client_credentials"],
    ["github.mismatch", { redirect_uri: `${callback}/other` }, "redirect_uri_mismatch"],
    ["github.always_ok", { grant_type: "password" }, "unsupported_grant_type"],
  ];
  for (const [fact, fields, error] of refusals) {
    it.inLab(`${fact}: refuses ${Object.keys(fields).at(-1)} with the status 200`, async (lab) => {
      const { status, headers, body } = await redeem(lab, { code: await codeOf(lab), ...fields });
      assertEquals([status, body.error], [200, error]);
      assertEquals(headers.get("WWW-Authenticate"), null);
      assertEquals(typeof body.error_uri, fact === "github.always_ok" ? "undefined" : "string");
    });
  }

  it.inLab("github.bad_code: refuses a code twice, and its error is a form by default", async (lab) => {
    const code = await codeOf(lab);
    await redeem(lab, { code });
    const again = await redeem(lab, { code }, "*/*");
    assertMatch(again.text, /^error=bad_verification_code&error_description=/);
  });

  for (const path of ["/user", "/api/v3/user"]) {
    it.inLab(`github.user: tells at ${path} who signed in`, async (lab) => {
      const { tokens } = await lab.logIn({ scope: "read:user" });
      for (const scheme of ["Bearer", "token"]) {
        const user = await (await userApi(lab, path, `${scheme} ${tokens.access_token}`)).json();
        assertEquals([user.login, user.name, user.email], ["alice", "Alice Adler", null]);
        assert(Number.isInteger(user.id));
      }
      const refused = await userApi(lab, path, "Bearer gho_unknown");
      assertEquals(refused.status, 401);
      assertEquals((await refused.json()).message, "Bad credentials");
    });

    it.inLab(`github.emails: lists addresses at ${path}/emails, with the scope for it`, async (lab) => {
      const one = await lab.logIn({ scope: "user:email" });
      const [email] =
        await (await userApi(lab, `${path}/emails`, `Bearer ${one.tokens.access_token}`)).json();
      assertEquals([email.email, email.primary, email.verified], ["alice@example.com", true, true]);
      const other = await lab.logIn({ scope: "read:user" });
      const refused = await userApi(lab, `${path}/emails`, `Bearer ${other.tokens.access_token}`);
      assertEquals(refused.status, 404);
    });
  }

  it.inLab("github.scope_header: Z7: names the scopes of the token in a header", async (lab) => {
    const { tokens } = await lab.logIn({ scope });
    const { headers } = await userApi(lab, "/user/emails", `Bearer ${tokens.access_token}`);
    assertEquals(headers.get("X-OAuth-Scopes"), "read:user, user:email");
    assertEquals(headers.get("X-Accepted-OAuth-Scopes"), "user, user:email");
  });

  for (const name of ["token", "grant"]) {
    it(`github.tokens: Z7: checks a token, and deletes its ${name}, for its app alone`, async () => {
      const other = { ...webClient, id: "other" };
      await using lab = await openProvider("github", { clients: [webClient, other] });
      const { tokens: { access_token } } = await lab.logIn({ scope });
      const ask = async (method: string, path: string, client = "web", secret = webClient.secret) =>
        await lab.fetch(`${lab.issuer}/applications/${client}/${path}`, {
          ...{ method, body: JSON.stringify({ access_token }) },
          headers: { Authorization: `basic ${btoa(`${client}:${secret}`)}` },
        });
      const checked = await (await ask("POST", "token")).json();
      const expected = ["web", ["read:user", "user:email"], "alice"];
      assertEquals([checked.app.client_id, checked.scopes, checked.user.login], expected);
      assertEquals((await ask("POST", "token", "web", "wrong")).status, 401);
      assertEquals((await ask("DELETE", name, "other")).status, 404);
      assertEquals((await ask("DELETE", name)).status, 204);
      assertEquals((await ask("POST", "token")).status, 404);
      assertEquals((await userApi(lab, "/user", `Bearer ${access_token}`)).status, 401);
    });
  }

  it.inLab("github.always_ok: has an answer for a device that waits", async (lab) => {
    const { device_code } = (await lab.form("/login/device/code", { scope })).body;
    const { status, body } = await redeem(lab, { grant_type: deviceCodeGrantType, device_code });
    assertEquals([status, body.error], [200, "authorization_pending"]);
  });

  it.inWholeLab("still meets faults, hooks and the report", async (lab) => {
    lab.on("userinfo", ({ claims }) => void (claims.login = "mallory"));
    const { tokens } = await lab.logIn({ scope });
    const authorization = `Bearer ${tokens.access_token}`;
    assertEquals((await (await userApi(lab, "/user", authorization)).json()).login, "mallory");
    lab.fault("userinfo.server_error", { times: 1 });
    assertEquals((await userApi(lab, "/user", authorization)).status, 500);
    assertEquals(lab.flows()[0]?.steps.map(({ what }) => what), [
      ...["answered", "redeemed", "used", "used"],
    ]);
    assertReport(lab, {
      leniencies: [
        ...["unknownClientPkce: optional", "redirectStatus: 302", "clientDefaults.pkce: optional"],
        "clientDefaults.redirectUriAtToken: if-present",
        "dialect.authorizationResponse: no iss",
        "dialect.clientRequests.responseType",
        "dialect.clientRequests.redirectUri: optional",
        "dialect.clientRequests.json",
        "dialect.clientRequests.grantType",
        "dialect.errors: errors with the status of a success",
      ],
    });
  });
});
