import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import type { ClientConfig } from "../../../src/server/features.ts";
import { type ClientKey, makeClientKey } from "../../support/client_key.ts";
import { openKit } from "../../support/kit.ts";
import { doorOf, type LibraryOptions, openLibrary } from "./library_login.ts";

const client: oauth.Client = { client_id: "app" };
const secret = "a-secret-that-is-long-enough-for-hmac";

/** Opens a server with one client, on the clock of the machine: the library has no other. */
async function open(changes: Partial<ClientConfig>, own: LibraryOptions = {}) {
  const grantTypes = ["authorization_code", "refresh_token", "client_credentials"];
  const app = { id: "app", redirectUris: ["https://hallpass.test/authorized"], grantTypes };
  const kit = openKit({ now: undefined, clients: [{ ...app, ...changes }] });
  return { kit, ...await openLibrary(doorOf(kit), { client, ...own }) };
}

function signerOf({ publicJwk: { kid }, privateKey: key }: ClientKey): oauth.PrivateKey {
  return kid === undefined ? { key } : { key, kid };
}

/** Opens a server for a client with a key, and returns what signs with it as well. */
async function openSigned(alg: string, changes: Partial<ClientConfig> = {}) {
  const key = await makeClientKey(alg, "k");
  const signer = signerOf(key);
  const opened = await open({ jwks: { keys: [key.publicJwk] }, ...changes }, {
    auth: oauth.PrivateKeyJwt(signer),
  });
  const { kit, server, begin, finish } = opened;

  /** Signs a user in by a signed request, which may be sent in another way. */
  async function signIn(
    ask: (request: string) => Promise<Record<string, string>>,
    more: Record<string, string> = {},
    validate?: (callback: URL) => Promise<URLSearchParams>,
  ): Promise<oauth.TokenEndpointResponse> {
    const begun = await begin({ state: "a-state", scope: "openid read", ...more });
    const { searchParams } = new URL(begun.url);
    const request = await oauth.issueRequestObject(server, client, searchParams, signer);
    const query = new URLSearchParams({ client_id: "app", ...await ask(request) });
    const url = `${server.authorization_endpoint}?${query}`;
    const ending = { checks: { requireIdToken: true }, ...validate && { validate } };
    return await finish(await kit.browser().authorize(url), begun, ending);
  }
  return { ...opened, signIn };
}

describe("oauth4webapi", () => {
  for (const alg of ["ES256", "PS256", "RS256", "Ed25519"]) {
    it(`authenticates by private_key_jwt with ${alg}`, async () => {
      const { clientCredentials, introspect } = await openSigned(alg);
      const { access_token } = await clientCredentials({ scope: "read" });
      assertEquals((await introspect(access_token)).active, true);
    });
  }

  it("authenticates by client_secret_jwt", async () => {
    const auth = oauth.ClientSecretJwt(secret);
    const app = await open({ secret, authentication: ["client_secret_jwt"] }, { auth });
    assertEquals((await app.clientCredentials({ scope: "read" })).token_type, "bearer");
  });

  it("pushes a signed request, and is answered by a signed response", async () => {
    const { server, options, push, signIn } = await openSigned("ES256", {
      requirePar: true,
      requireSignedRequest: true,
      authorizationResponseAlg: "ES256",
    });
    const told: oauth.Client = { ...client, authorization_signed_response_alg: "ES256" };
    const tokens = await signIn(
      async (request) => ({ request_uri: (await push({ client_id: "app", request })).request_uri }),
      { response_mode: "jwt" },
      (callback) => oauth.validateJwtAuthResponse(server, told, callback, "a-state", options),
    );
    assertEquals(tokens.scope, "openid read");
    assertEquals(oauth.getValidatedIdTokenClaims(tokens)?.sub, "alice");
  });

  it("signs a request without pushing it", async () => {
    const { signIn } = await openSigned("PS256");
    const tokens = await signIn(async (request) => ({ request }));
    assertEquals(oauth.getValidatedIdTokenClaims(tokens)?.sub, "alice");
  });

  it("binds the code to a key by the proof of the request that it pushes (RFC 9449, section 10.1)", async () => {
    const makeProofs = async () => oauth.DPoP(client, await oauth.generateKeyPair("ES256"));
    const DPoP = await makeProofs();
    const changes = { authentication: ["none" as const], grantTypes: ["authorization_code"] };
    const app = await open(changes, { DPoP });
    const verifier = oauth.generateRandomCodeVerifier();
    const asked = await app.parameters(verifier, { scope: "read", state: "a-state" });
    const { request_uri } = await app.push(asked);
    const query = new URLSearchParams({ client_id: "app", request_uri });
    const url = `${app.server.authorization_endpoint}?${query}`;
    const callback = app.validate(await app.kit.browser().authorize(url), "a-state");
    const redeem = (more?: object) => app.redeem(callback, verifier, {}, more);
    await assertRejects(() => redeem({ DPoP: undefined }), oauth.ResponseBodyError);
    const other = { DPoP: await makeProofs() };
    await assertRejects(() => redeem(other), oauth.ResponseBodyError);
    assertEquals((await redeem()).token_type, "dpop");
  });
});
