import { assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import { decodeProtectedHeader, exportJWK, generateKeyPair, type JWK } from "jose";
import { describe } from "node:test";
import {
  protectedResource,
  type ProtectedResourceConfig,
} from "../../src/resource/protected_resource.ts";
import { assertion, type ClientKey, makeClientKey } from "../support/client_key.ts";
import { makeProof, proofKey } from "../support/dpop.ts";
import { claimsOf, encode, type FlowKit, startOfTime } from "../support/flow_kit.ts";
import { itWith } from "../support/it_with.ts";
import { makeKeyPair } from "../support/key_pairs.ts";
import { openPublicLab } from "../support/public_kit.ts";

const it = itWith({ withBank: () => openBank() });

const resource = "https://api.test/v1";

/** Opens a server with the profile, a client of a bank, and the API that its tokens are for. */
async function openBank() {
  const [bank, api] = [await makeClientKey("ES256", "bank"), await makeClientKey("ES256", "api")];
  const kit = await openPublicLab({
    profile: "fapi-2.0",
    clients: [
      {
        id: "bank",
        jwks: { keys: [bank.publicJwk] },
        redirectUris: ["https://hallpass.test/authorized"],
      },
      { id: "api", jwks: { keys: [api.publicJwk] }, resources: [resource] },
    ],
  });
  return { kit, token: await tokenOf(kit, bank), api };
}

/** Requests a token that is bound to the key of the tests' proofs. */
async function tokenOf(kit: FlowKit, bank: ClientKey): Promise<string> {
  const proof = async (path: string) =>
    makeProof(await proofKey(), "POST", kit.issuer + path, { now: kit.clock.now });
  const asked = { client_id: "bank", resource, scope: "read" };
  const pushed = await kit.push({ ...asked, ...await assertion(kit, "bank", bank) });
  const query = encode({ client_id: "bank", request_uri: pushed.body.request_uri });
  const callback = await kit.browser().authorize(`${kit.issuer}/oauth2/authorize?${query}`);
  const code = new URL(callback).searchParams.get("code")!;
  const fields = { client_id: undefined, ...await assertion(kit, "bank", bank) };
  return (await kit.redeem(code, fields, { DPoP: await proof("/oauth2/token") })).body.access_token;
}

/** Opens an API, and records the assertions with which it introspects tokens. */
function openApi(kit: FlowKit, config: Omit<ProtectedResourceConfig, "resource">) {
  const assertions: string[] = [];
  const api = protectedResource({
    resource,
    now: () => kit.clock.now,
    fetch: (url, { signal: _, ...init }) => {
      const sent = new URLSearchParams(init.body).get("client_assertion");
      if (sent !== null) assertions.push(sent);
      return kit.server.fetch(new Request(url, init));
    },
    ...config,
  });
  const call = async (token: string, key = "ES256") => {
    const proof = await makeProof(await proofKey(key), "GET", `${resource}/accounts`, {
      token,
      now: kit.clock.now,
    });
    const headers = { Authorization: `DPoP ${token}`, DPoP: proof };
    return await api.require(new Request(`${resource}/accounts`, { headers }));
  };
  return { api, call, assertions };
}

/** Opens an API that introspects tokens as a client with a key. */
function openAsking(kit: FlowKit, privateKey: CryptoKey | JWK, kid?: string) {
  const introspection = { clientId: "api", privateKey, ...kid !== undefined && { kid } };
  return openApi(kit, { authorizationServers: [{ issuer: kit.issuer, introspection }] });
}

describe("An API that introspects tokens and authenticates with a key (RFC 7523)", () => {
  it.withBank("works with a server under the profile fapi-2.0", async ({ kit, token, api }) => {
    const { call } = openAsking(kit, { ...await exportJWK(api.privateKey), kid: "api" });
    for (let time = 0; time < 2; time++) {
      const access = await call(token);
      assertEquals(access instanceof Response ? await access.text() : access.clientId, "bank");
    }
  });

  it.withBank("accepts a non-extractable key", async ({ kit, token, api }) => {
    const { call } = openAsking(kit, api.privateKey, "api");
    assertEquals(await call(token) instanceof Response, false);
  });

  it.withBank("sends a new assertion each time, for the issuer only, valid for a minute", async ({ kit, token, api }) => {
    const { call, assertions } = openAsking(kit, api.privateKey, "api");
    for (let time = 0; time < 2; time++) await call(token);
    const [first = "", second = ""] = assertions;
    const { jti, ...claims } = claimsOf(first);
    const iat = startOfTime / 1000;
    assertEquals(claims, { iss: "api", sub: "api", aud: kit.issuer, iat, exp: iat + 60 });
    assertNotEquals(jti, claimsOf(second).jti);
    assertEquals(decodeProtectedHeader(first), { alg: "ES256", kid: "api" });
  });

  it.withBank("sends the 'kid' of its JWK, and none if the key has none", async ({ kit, token, api }) => {
    const jwk = { ...await exportJWK(api.privateKey), kid: "api" };
    for (const [key, kid] of [[jwk, "api"], [api.privateKey, undefined]] as const) {
      const { call, assertions } = openAsking(kit, key);
      await call(token);
      assertEquals(decodeProtectedHeader(assertions[0] ?? "").kid, kid);
    }
  });

  it.withBank("gets no claims with the key of another client", async ({ kit, token }) => {
    const { privateKey } = await makeClientKey("ES256");
    const { call } = openAsking(kit, privateKey, "api");
    assertEquals((await call(token) as Response).status, 503);
  });
});

describe("The private key of an API", () => {
  const keyOf = async (alg: string) => (await makeKeyPair(alg)).privateKey;
  const check = (introspection: object) => () =>
    void protectedResource({
      resource,
      authorizationServers: [{
        issuer: "https://hallpass.test",
        introspection: { clientId: "api", ...introspection },
      }],
    });

  it("can have every algorithm of assertions", async () => {
    for (const alg of ["ES256", "EdDSA", "PS256", "RS256"]) {
      const { privateKey, privateJwk } = await makeKeyPair(alg);
      check({ privateKey })();
      check({ privateKey: { ...privateJwk, alg } })();
    }
  });

  const refused: Record<string, [introspection: () => object | Promise<object>, says: RegExp]> = {
    "missing": [() => ({}), /needs either a 'clientSecret' or a 'privateKey'/],
    "both": [async () => ({ clientSecret: "s", privateKey: await keyOf("ES256") }), /needs either/],
    "null": [() => ({ privateKey: null }), /not a private key/],
    "a PEM string": [() => ({ privateKey: "-----BEGIN PRIVATE KEY-----" }), /not a private key/],
    "a public JWK": [
      async () => ({ privateKey: (await makeKeyPair("ES256")).publicJwk }),
      /not a private key/,
    ],
    "a shared secret": [
      () => ({ privateKey: { kty: "oct", k: "c2VjcmV0" } }),
      /neither an RSA key nor a key on P-256 or Ed25519/,
    ],
    "on another curve": [
      async () => ({ privateKey: await exportJWK(await keyOf("ES384")) }),
      /neither an RSA key/,
    ],
    "an algorithm that does not fit": [
      async () => ({ privateKey: await exportJWK(await keyOf("ES256")), alg: "EdDSA" }),
      /cannot sign with 'EdDSA', only with: ES256/,
    ],
    "an RSA key without an algorithm": [
      async () => ({ privateKey: (await makeKeyPair("RS256")).privateJwk }),
      /needs an 'alg', one of: RS256, PS256/,
    ],
    "a public CryptoKey": [
      async () => ({ privateKey: (await generateKeyPair("ES256")).publicKey }),
      /CryptoKey that cannot sign/,
    ],
    "a private CryptoKey that only derives bits": [async () => {
      const algorithm = { name: "ECDH", namedCurve: "P-256" };
      return {
        privateKey: (await crypto.subtle.generateKey(algorithm, true, ["deriveBits"])).privateKey,
      };
    }, /CryptoKey that cannot sign/],
    "a CryptoKey on another curve": [
      async () => ({ privateKey: await keyOf("ES384") }),
      /CryptoKey for ECDSA, which is not supported/,
    ],
  };
  for (const [what, [introspection, says]] of Object.entries(refused)) {
    it(`is refused at once if it is ${what}`, async () => {
      const { message } = assertThrows(check(await introspection()), TypeError);
      assertMatch(message, says);
    });
  }
});

describe("The algorithms of DPoP proofs at an API", () => {
  it.withBank("are the configured ones", async ({ kit, token }) => {
    const { api, call } = openApi(kit, {
      authorizationServers: [kit.issuer],
      dpopAlgs: ["PS256", "EdDSA"],
    });
    const response = await call(token) as Response;
    assertEquals([response.status, (await response.json()).error], [401, "invalid_dpop_proof"]);
    assertMatch(response.headers.get("WWW-Authenticate")!, /algs="PS256 EdDSA"/);
    assertEquals(api.metadata.dpop_signing_alg_values_supported, ["PS256", "EdDSA"]);
  });

  it.withBank("are accepted in proofs", async ({ kit, token }) => {
    const { call } = openApi(kit, { authorizationServers: [kit.issuer], dpopAlgs: ["ES256"] });
    assertEquals(await call(token) instanceof Response, false);
  });

  for (const dpopAlgs of [[], ["HS256"], ["none", "ES256"]]) {
    it(`cannot be ${JSON.stringify(dpopAlgs)}`, () => {
      const authorizationServers = ["https://hallpass.test"];
      const config = { resource, authorizationServers, dpopAlgs: dpopAlgs as ["ES256"] };
      const { message } = assertThrows(() => protectedResource(config), TypeError);
      assertMatch(message, /'dpopAlgs' must be some of: ES256/);
    });
  }
});
