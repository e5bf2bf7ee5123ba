// openid-client, a certified relying party, uses what the server offers.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as openid from "openid-client";
import { answerPages } from "../../support/browser.ts";
import { authorize, browser, issuer, register, user } from "./running_server.ts";

const redirect_uri = "https://app.example/callback";
const grant_types = ["authorization_code", "refresh_token"];
const execute = [openid.allowInsecureRequests];

/** Returns a client's configuration. */
async function configure(
  metadata: object = {},
  authentication?: (secret: string) => openid.ClientAuth,
): Promise<openid.Configuration> {
  const client = await register({ redirect_uris: [redirect_uri], grant_types, ...metadata });
  const auth = authentication?.(client.client_secret ?? "");
  return await openid.discovery(new URL(issuer), client.client_id, client, auth, { execute });
}

/** Returns a public client's configuration. */
function configurePublic(metadata: object = {}): Promise<openid.Configuration> {
  return configure({ token_endpoint_auth_method: "none", ...metadata }, () => openid.None());
}

/** Returns the parameters of an authorization request, and what the library checks later. */
async function newLogin() {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const [state, nonce] = [openid.randomState(), openid.randomNonce()];
  const parameters = {
    ...{ redirect_uri, state, nonce, scope: "openid profile offline_access", prompt: "consent" },
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  };
  const expected = { expectedState: state, expectedNonce: nonce };
  return { parameters, checks: { pkceCodeVerifier, ...expected, idTokenExpected: true } };
}

/** Signs in with a plain authorization request, or one that is sent in another way. */
async function signIn(
  config: openid.Configuration,
  build: typeof openid.buildAuthorizationUrlWithPAR = async (...all) =>
    openid.buildAuthorizationUrl(...all),
  options?: openid.AuthorizationCodeGrantOptions,
) {
  const { parameters, checks } = await newLogin();
  const callback = await authorize(await build(config, parameters));
  return await openid.authorizationCodeGrant(config, callback, checks, undefined, options);
}

async function keyPair() {
  const options = { extractable: true };
  const { privateKey, publicKey } = await openid.randomDPoPKeyPair(
    "ES256",
    options,
  );
  const jwk = {
    ...await crypto.subtle.exportKey("jwk", publicKey),
    kid: "key",
    alg: "ES256",
  };
  delete jwk.key_ops;
  return { privateKey, jwks: { keys: [jwk] } };
}

describe("openid-client", () => {
  it("signs a user in, and reads the claims", async () => {
    const config = await configurePublic();
    const tokens = await signIn(config);
    const sub = tokens.claims()!.sub;
    const claims = await openid.fetchUserInfo(config, tokens.access_token, sub);
    assert.equal(claims.name, "Alice Adler");
  });

  const secrets: Array<
    [method: string, auth: (secret: string) => openid.ClientAuth]
  > = [
    ["client_secret_basic", openid.ClientSecretBasic],
    ["client_secret_post", openid.ClientSecretPost],
    ["client_secret_jwt", openid.ClientSecretJwt],
  ];
  for (const [token_endpoint_auth_method, auth] of secrets) {
    it(`authenticates with ${token_endpoint_auth_method}`, async () => {
      const tokens = await signIn(await configure({ token_endpoint_auth_method }, auth));
      assert.ok(tokens.claims()!.sub);
    });
  }

  it("authenticates with private_key_jwt", async () => {
    const { privateKey: key, jwks } = await keyPair();
    const metadata = { token_endpoint_auth_method: "private_key_jwt", jwks };
    const config = await configure(metadata, () => openid.PrivateKeyJwt({ key, kid: "key" }));
    assert.ok((await signIn(config)).claims()!.sub);
  });

  it("refreshes, introspects and revokes tokens", async () => {
    const config = await configure({}, openid.ClientSecretBasic);
    const { refresh_token } = await signIn(config);
    const next = await openid.refreshTokenGrant(config, refresh_token!);
    const isActive = async () =>
      (await openid.tokenIntrospection(config, next.access_token)).active;
    assert.equal(await isActive(), true);
    await openid.tokenRevocation(config, next.refresh_token!);
    assert.equal(await isActive(), false);
  });

  it("sees that a used code is refused", async () => {
    const config = await configurePublic();
    const { parameters, checks } = await newLogin();
    const callback = await authorize(openid.buildAuthorizationUrl(config, parameters));
    await openid.authorizationCodeGrant(config, callback, checks);
    const again = openid.authorizationCodeGrant(config, callback, checks);
    await assert.rejects(again, { error: "invalid_grant" });
  });

  it("decrypts its ID token, and claims of the user (RFC 7516)", async () => {
    const { privateKey, publicKey } = await crypto.subtle.generateKey(
      { name: "ECDH", namedCurve: "P-256" },
      true,
      ["deriveBits"],
    );
    const jwk = await crypto.subtle.exportKey("jwk", publicKey);
    const { kty, crv, x, y } = jwk;
    const [alg, enc] = ["ECDH-ES+A256KW", "A256GCM"];
    const config = await configure({
      jwks: { keys: [{ kty, crv, x, y, kid: "enc", use: "enc", alg }] },
      id_token_encrypted_response_alg: alg,
      id_token_encrypted_response_enc: enc,
      userinfo_signed_response_alg: "RS256",
      userinfo_encrypted_response_alg: alg,
      userinfo_encrypted_response_enc: enc,
    }, openid.ClientSecretBasic);
    const key = { key: privateKey, kid: "enc", alg };
    openid.enableDecryptingResponses(config, [enc], key);
    const tokens = await signIn(config);
    assert.equal(tokens.id_token!.split(".").length, 5);
    const { sub } = tokens.claims()!;
    const claims = await openid.fetchUserInfo(config, tokens.access_token, sub);
    assert.equal(claims.name, "Alice Adler");
  });

  it("pushes its request (RFC 9126)", async () => {
    const tokens = await signIn(await configurePublic(), async (...all) => {
      const url = await openid.buildAuthorizationUrlWithPAR(...all);
      assert.match(url.search, /request_uri=/);
      return url;
    });
    assert.ok(tokens.claims()!.sub);
  });

  it("signs its request (RFC 9101)", async () => {
    const { privateKey: key, jwks } = await keyPair();
    const config = await configurePublic({ jwks, request_object_signing_alg: "ES256" });
    const signer = { key, kid: "key" };
    const tokens = await signIn(
      config,
      (config, parameters) => openid.buildAuthorizationUrlWithJAR(config, parameters, signer),
    );
    assert.ok(tokens.claims()!.sub);
  });

  it("verifies a signed response (JARM)", async () => {
    const config = await configurePublic({ authorization_signed_response_alg: "RS256" });
    openid.useJwtResponseMode(config);
    const { parameters, checks } = await newLogin();
    const callback = await authorize(openid.buildAuthorizationUrl(config, parameters));
    assert.match(callback.search, /^\?response=/);
    const tokens = await openid.authorizationCodeGrant(config, callback, checks);
    assert.ok(tokens.claims()!.sub);
  });

  it("binds tokens to a key (RFC 9449)", async () => {
    const config = await configurePublic();
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair("ES256"));
    const tokens = await signIn(config, undefined, { DPoP });
    assert.equal(tokens.token_type, "dpop");
    const sub = tokens.claims()!.sub;
    const claims = await openid.fetchUserInfo(config, tokens.access_token, sub, { DPoP });
    assert.equal(claims.sub, sub);
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token!, {}, { DPoP });
    assert.equal(next.token_type, "dpop");
  });

  it("gets tokens for itself", async () => {
    const grant_types = ["client_credentials"];
    const config = await configure(
      { grant_types, redirect_uris: [] },
      openid.ClientSecretBasic,
    );
    assert.equal(
      (await openid.clientCredentialsGrant(config)).token_type,
      "bearer",
    );
  });

  it("signs a user in on a device (RFC 8628)", async () => {
    const grant_types = ["urn:ietf:params:oauth:grant-type:device_code"];
    const config = await configurePublic({ grant_types, redirect_uris: [] });
    const device = await openid.initiateDeviceAuthorization(config, { scope: "openid" });
    const { user_code } = device;
    const window = browser();
    const form = await window.open(device.verification_uri);
    await answerPages(window, await window.submit(form, "device", { user_code }), user);
    const tokens = await openid.pollDeviceAuthorizationGrant(config, device);
    assert.ok(tokens.claims()!.sub);
  });

  it("signs the user out", async () => {
    const post_logout_redirect_uri = "https://app.example/";
    const config = await configurePublic({ post_logout_redirect_uris: [post_logout_redirect_uri] });
    const { id_token } = await signIn(config);
    const parameters = { post_logout_redirect_uri, id_token_hint: id_token!, state: "abc" };
    const window = browser();
    const page = await window.open(openid.buildEndSessionUrl(config, parameters).href);
    assert.equal(page.url, "https://app.example/?state=abc");
  });
});
