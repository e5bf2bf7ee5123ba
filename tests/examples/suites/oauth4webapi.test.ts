// oauth4webapi, a certified client that checks each step, uses what the server offers.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { answerPages } from "../../support/browser.ts";
import {
  introspect,
  makeKeys,
  newLogin,
  options,
  redeem,
  registerClient,
  registerPublicClient,
  server,
  signIn,
  subjectOf,
  validate,
  visit,
  withNonce,
} from "./oauth4webapi_client.ts";
import { browser, issuer, user } from "./running_server.ts";

describe("oauth4webapi", () => {
  it("signs a user in, and reads the claims", async () => {
    const public_ = await registerPublicClient();
    const tokens = await signIn(public_);
    const { access_token } = tokens;
    const response = await oauth.userInfoRequest(
      server,
      public_.client,
      access_token,
      options,
    );
    const sub = subjectOf(tokens);
    const claims = await oauth.processUserInfoResponse(
      server,
      public_.client,
      sub,
      response,
    );
    assert.equal(claims.name, "Alice Adler");
  });

  const methods: Array<
    [method: string, auth: (secret: string) => oauth.ClientAuth]
  > = [
    ["client_secret_basic", oauth.ClientSecretBasic],
    ["client_secret_post", oauth.ClientSecretPost],
    ["client_secret_jwt", oauth.ClientSecretJwt],
  ];
  for (const [token_endpoint_auth_method, authWith] of methods) {
    it(`authenticates with ${token_endpoint_auth_method}`, async () => {
      const { client } = await registerClient({ token_endpoint_auth_method });
      const auth = authWith(`${client.client_secret}`);
      assert.ok(subjectOf(await signIn({ client, auth })));
    });
  }

  it("authenticates with private_key_jwt", async () => {
    const { key, jwks } = await makeKeys();
    const metadata = { token_endpoint_auth_method: "private_key_jwt", jwks };
    const client = await registerClient(metadata, oauth.PrivateKeyJwt(key));
    assert.ok(subjectOf(await signIn(client)));
  });

  it("sees that a callback with another state, or from another issuer, is not its own", async () => {
    const client = await registerPublicClient();
    const { parameters, state } = await newLogin(client);
    const callback = await visit(parameters);
    assert.throws(() => validate(client, callback, "another"), {
      code: "OAUTH_INVALID_RESPONSE",
    });
    callback.searchParams.set("iss", "https://evil.example");
    assert.throws(() => validate(client, callback, state), {
      code: "OAUTH_INVALID_RESPONSE",
    });
  });

  it("sees that a wrong verifier is refused, and that the right one still works", async () => {
    const client = await registerPublicClient();
    const login = await newLogin(client);
    const callback = validate(
      client,
      await visit(login.parameters),
      login.state,
    );
    const verifier = oauth.generateRandomCodeVerifier();
    const refused = { error: "invalid_grant", status: 400 };
    await assert.rejects(
      redeem(client, { ...login, verifier }, callback),
      refused,
    );
    assert.ok(subjectOf(await redeem(client, login, callback)));
  });

  it("sees that a used code is refused, and that its tokens end", async () => {
    const client = await registerClient();
    const login = await newLogin(client);
    const callback = validate(
      client,
      await visit(login.parameters),
      login.state,
    );
    const { access_token } = await redeem(client, login, callback);
    assert.equal((await introspect(client, access_token)).active, true);
    await assert.rejects(redeem(client, login, callback), {
      error: "invalid_grant",
    });
    assert.equal((await introspect(client, access_token)).active, false);
  });

  it("refreshes tokens, and sees that a used refresh token ends them all", async () => {
    const client = await registerClient();
    const { refresh_token } = await signIn(client);
    const refresh = async () => {
      const request = await oauth.refreshTokenGrantRequest(
        ...[server, client.client, client.auth] as const,
        ...[`${refresh_token}`, options] as const,
      );
      return await oauth.processRefreshTokenResponse(
        server,
        client.client,
        request,
      );
    };
    const { access_token } = await refresh();
    assert.equal((await introspect(client, access_token)).active, true);
    await assert.rejects(refresh(), { error: "invalid_grant" });
    assert.equal((await introspect(client, access_token)).active, false);
  });

  it("introspects and revokes tokens", async () => {
    const own = await registerClient();
    const { access_token } = await signIn(own);
    const { client_id, scope } = await introspect(own, access_token);
    assert.equal(client_id, own.client.client_id);
    assert.equal(scope, "openid profile offline_access");
    const { client, auth } = own;
    const response = await oauth.revocationRequest(
      server,
      client,
      auth,
      access_token,
      options,
    );
    await oauth.processRevocationResponse(response);
    assert.deepEqual(await introspect(own, access_token), { active: false });
  });

  it("verifies a signed introspection response (RFC 9701)", async () => {
    const { client, auth } = await registerClient({
      introspection_signed_response_alg: "RS256",
    });
    const { access_token } = await signIn({ client, auth });
    const more = { ...options, requestJwtResponse: true };
    const response = await oauth.introspectionRequest(
      server,
      client,
      auth,
      access_token,
      more,
    );
    const { active } = await oauth.processIntrospectionResponse(
      server,
      client,
      response,
    );
    await oauth.validateApplicationLevelSignature(server, response, options);
    assert.equal(active, true);
  });

  it("verifies a signed userinfo response", async () => {
    const own = await registerPublicClient({
      userinfo_signed_response_alg: "RS256",
    });
    const tokens = await signIn(own);
    const { client } = own;
    const response = await oauth.userInfoRequest(
      server,
      client,
      tokens.access_token,
      options,
    );
    const sub = subjectOf(tokens);
    const claims = await oauth.processUserInfoResponse(
      server,
      client,
      sub,
      response,
    );
    await oauth.validateApplicationLevelSignature(server, response, options);
    assert.equal(claims.sub, sub);
  });

  it("pushes its request (RFC 9126)", async () => {
    const own = await registerClient({
      require_pushed_authorization_requests: true,
    });
    const { client, auth } = own;
    const login = await newLogin(own);
    const response = await oauth.pushedAuthorizationRequest(
      ...[server, client, auth, login.parameters, options] as const,
    );
    const pushed = await oauth.processPushedAuthorizationResponse(
      server,
      client,
      response,
    );
    const { client_id } = client;
    const callback = await visit({
      client_id,
      request_uri: pushed.request_uri,
    });
    const tokens = await redeem(
      own,
      login,
      validate(own, callback, login.state),
    );
    assert.ok(subjectOf(tokens));
  });

  it("signs its request (RFC 9101)", async () => {
    const { key, jwks } = await makeKeys();
    const own = await registerPublicClient({
      jwks,
      request_object_signing_alg: "ES256",
    });
    const { client } = own;
    const login = await newLogin(own);
    const request = await oauth.issueRequestObject(
      server,
      client,
      login.parameters,
      key,
    );
    const callback = await visit({ client_id: client.client_id, request });
    assert.ok(
      subjectOf(await redeem(own, login, validate(own, callback, login.state))),
    );
  });

  it("verifies a signed authorization response (JARM)", async () => {
    const own = await registerPublicClient({
      authorization_signed_response_alg: "RS256",
    });
    const login = await newLogin(own);
    const callback = await visit({ ...login.parameters, response_mode: "jwt" });
    const checked = await oauth.validateJwtAuthResponse(
      ...[server, own.client, callback, login.state, options] as const,
    );
    assert.ok(subjectOf(await redeem(own, login, checked)));
  });

  it("binds tokens to a key, from the authorization request on (RFC 9449)", async () => {
    const own = await registerPublicClient({ dpop_bound_access_tokens: true });
    const { client, auth } = own;
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair("ES256"));
    const login = await newLogin(own);
    const dpop_jkt = await DPoP.calculateThumbprint();
    const callback = await visit({ ...login.parameters, dpop_jkt });
    const checked = validate(own, callback, login.state);
    const tokens = await redeem(own, login, checked, { DPoP });
    assert.equal(tokens.token_type, "dpop");
    const more = { ...options, DPoP };
    const info = await withNonce(async () => {
      const response = await oauth.userInfoRequest(
        server,
        client,
        tokens.access_token,
        more,
      );
      return await oauth.processUserInfoResponse(
        server,
        client,
        subjectOf(tokens),
        response,
      );
    });
    assert.equal(info.name, "Alice Adler");
    const refreshed = await withNonce(async () => {
      const response = await oauth.refreshTokenGrantRequest(
        ...[server, client, auth, `${tokens.refresh_token}`, more] as const,
      );
      return await oauth.processRefreshTokenResponse(server, client, response);
    });
    assert.equal(refreshed.token_type, "dpop");
  });

  it("gets a token for itself, which an API validates (RFC 9068)", async () => {
    const metadata = { grant_types: ["client_credentials"], redirect_uris: [] };
    const { client, auth } = await registerClient(metadata);
    const resource = "https://mcp.example/mcp";
    const response = await oauth.clientCredentialsGrantRequest(
      ...[server, client, auth, { resource }, options] as const,
    );
    const tokens = await oauth.processClientCredentialsResponse(
      server,
      client,
      response,
    );
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    const request = new Request(resource, { headers });
    const claims = await oauth.validateJwtAccessToken(
      server,
      request,
      resource,
      options,
    );
    assert.equal(claims.client_id, client.client_id);
  });

  it("signs a user in on a device (RFC 8628)", async () => {
    const grant_types = ["urn:ietf:params:oauth:grant-type:device_code"];
    const { client, auth } = await registerPublicClient({
      grant_types,
      redirect_uris: [],
    });
    const begun = await oauth.deviceAuthorizationRequest(
      ...[server, client, auth, { scope: "openid" }, options] as const,
    );
    const device = await oauth.processDeviceAuthorizationResponse(
      server,
      client,
      begun,
    );
    const poll = async () => {
      const code = device.device_code;
      const response = await oauth.deviceCodeGrantRequest(
        server,
        client,
        auth,
        code,
        options,
      );
      return await oauth.processDeviceCodeResponse(server, client, response);
    };
    await assert.rejects(poll(), { error: "authorization_pending" });
    const window = browser();
    const form = await window.open(device.verification_uri);
    const { user_code } = device;
    await answerPages(
      window,
      await window.submit(form, "device", { user_code }),
      user,
    );
    // A client that polls too early is told to wait longer.
    const interval = device.interval ?? 5;
    await new Promise((resolve) => setTimeout(resolve, (interval + 1) * 1000));
    assert.ok(subjectOf(await poll()));
  });

  it("signs the user out", async () => {
    const post_logout_redirect_uri = "https://app.example/";
    const client = await registerPublicClient({
      post_logout_redirect_uris: [post_logout_redirect_uri],
    });
    const { id_token } = await signIn(client);
    const parameters = {
      post_logout_redirect_uri,
      id_token_hint: `${id_token}`,
      state: "abc",
    };
    const endpoint = `${server.end_session_endpoint}`;
    assert.ok(endpoint.startsWith(`${issuer}/`));
    const page = await browser().open(
      `${endpoint}?${new URLSearchParams(parameters)}`,
    );
    assert.equal(page.url, "https://app.example/?state=abc");
  });
});
