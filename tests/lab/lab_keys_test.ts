import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeProtectedHeader,
  exportPKCS8,
  exportSPKI,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
} from "jose";
import { createPublicKey } from "node:crypto";
import { describe, it } from "node:test";
import { hallpass, LabError, type TestLab } from "../../src/lab/testing/mod.ts";
import { makeKeyPair } from "../support/key_pairs.ts";
import { callLab } from "../support/lab_call.ts";
import { testClient } from "../support/test_client.ts";
import { needs } from "../support/where_feature.ts";

async function keySetOf({ fetch, issuer }: TestLab): Promise<JSONWebKeySet> {
  return await (await fetch(`${issuer}/oauth2/jwks`)).json();
}

const kidsOf = async (lab: TestLab) => (await keySetOf(lab)).keys.map(({ kid }) => kid);

async function makeKey(alg: string) {
  const { privateKey, publicKey, privateJwk: jwk, publicJwk } = await makeKeyPair(alg);
  return {
    jwk,
    publicJwk,
    pem: await exportPKCS8(privateKey),
    publicPem: await exportSPKI(publicKey),
  };
}

/** Verifies both tokens of a user by the published keys, and returns their algorithms. */
async function tokenAlgorithms(lab: TestLab): Promise<unknown[]> {
  const keys = createLocalJWKSet(await keySetOf(lab));
  const scope = "openid";
  const access = await lab.mint({ sub: "alice", scope });
  const id = await lab.mint({ sub: "alice", kind: "id", scope });
  const tokens = [access.token, id.token];
  for (const token of tokens) await jwtVerify(token, keys, { issuer: lab.issuer });
  return tokens.map((token) => decodeProtectedHeader(token).alg);
}

describe("U12: a lab with keys in signingKeys", () => {
  for (const alg of ["RS256", "PS256", "ES256", "EdDSA"] as const) {
    it(`publishes that one alone, which signs both tokens: ${alg}`, async () => {
      const { jwk, pem } = await makeKey(alg);
      const named = alg === "PS256" ? { alg } : {};
      for (const key of [{ jwk: { ...jwk, alg } }, { pem, ...named }]) {
        await using lab = await hallpass({ signingKeys: [{ ...key, kid: "mine" }] });
        assertEquals(await kidsOf(lab), ["mine"]);
        assertEquals(await tokenAlgorithms(lab), [alg, alg]);
      }
    });
  }

  it("has a metadata document with their algorithms, RS256 first", async () => {
    const [one, two] = [await makeKey("ES256"), await makeKey("RS256")];
    await using lab = await hallpass({ signingKeys: [{ jwk: one.jwk }, { pem: two.pem }] });
    const { id_token_signing_alg_values_supported: algs } = await testClient().metadata(lab);
    assertEquals(algs, ["RS256", "ES256"]);
    assertEquals((await keySetOf(lab)).keys.length, 2);
    assertEquals(await tokenAlgorithms(lab), ["RS256", "RS256"]);
  });

  it("makes a key only for an algorithm that another setting names", async () => {
    const { jwk } = await makeKey("ES256");
    const signingKeys = [{ jwk, kid: "mine" }];
    await using lab = await hallpass({ signingKeys, alg: "PS256" });
    assertEquals((await keySetOf(lab)).keys.map(({ alg }) => alg), ["ES256", "PS256"]);
    assertEquals(await tokenAlgorithms(lab), ["PS256", "ES256"]);
  });

  it("publishes them for a tenant, too", async () => {
    const { jwk } = await makeKey("ES256");
    await using lab = await hallpass({});
    const tenant = await lab.tenant({ signingKeys: [{ jwk, kid: "mine" }] });
    assertEquals(await kidsOf(tenant), ["mine"]);
    const settings = { signingKeys: [{ jwk, kid: "theirs" }] };
    const { issuer } = (await callLab(lab, "POST /tenants", settings)).json;
    assertEquals(await kidsOf({ ...lab, issuer }), ["theirs"]);
  });
});

describe("A public key in signingKeys of a lab", () => {
  it("U12: is published as it is, and never signs", async () => {
    const { jwk } = await makeKey("ES256");
    const { publicJwk, publicPem } = await makeKey("ES256");
    const encryption: JWK = { ...publicJwk, use: "enc", alg: "ECDH-ES" };
    const signingKeys = [
      { jwk: encryption },
      { pem: publicPem },
      { jwk: publicJwk, kid: "old", alg: "ES256" as const },
      { jwk, kid: "mine" },
    ];
    await using lab = await hallpass({ signingKeys });
    const thumbprint = await calculateJwkThumbprint(publicJwk);
    const [mine, ...others] = (await keySetOf(lab)).keys;
    assertEquals(mine?.kid, "mine");
    assertEquals(others, [
      { ...encryption, kid: thumbprint },
      { ...publicJwk, kid: thumbprint, alg: "ES256", use: "sig" },
      { ...publicJwk, kid: "old", alg: "ES256" },
    ]);
    assertEquals(await tokenAlgorithms(lab), ["ES256", "ES256"]);
  });

  it("may be in PKCS1", async () => {
    const { publicJwk, publicPem } = await makeKey("RS256");
    const pem = String(createPublicKey(publicPem).export({ type: "pkcs1", format: "pem" }));
    assertMatch(pem, /BEGIN RSA PUBLIC KEY/);
    await using lab = await hallpass({ signingKeys: [{ pem, kid: "old" }] });
    const published = (await keySetOf(lab)).keys.find(({ kid }) => kid === "old");
    assertEquals(published, { ...publicJwk, kid: "old", alg: "RS256", use: "sig" });
  });

  it("K13: has one key of the lab beside it, which signs, if no private key is configured", async () => {
    const { publicJwk } = await makeKey("ES256");
    await using lab = await hallpass({ signingKeys: [{ jwk: publicJwk, kid: "old" }] });
    const [own = "", ...others] = await kidsOf(lab);
    assertMatch(own, /^TEST-ONLY-/);
    assertEquals(others, ["old"]);
    assertEquals(await tokenAlgorithms(lab), ["RS256", "RS256"]);
  });

  it("K13: has its thumbprint as its kid, unless it has a kid or a type without thumbprints", async () => {
    const { publicJwk } = await makeKey("EdDSA");
    const unknown = { kty: "QKD", qubits: "AQAB" };
    const keys = [publicJwk, { ...publicJwk, kid: "old" }, unknown];
    await using lab = await hallpass({ signingKeys: keys.map((jwk) => ({ jwk })) });
    const [, ...published] = (await keySetOf(lab)).keys;
    const kid = await calculateJwkThumbprint(publicJwk);
    assertEquals(published, [{ ...publicJwk, kid }, { ...publicJwk, kid: "old" }, unknown]);
  });

  it(
    "K13: is not the one of jwks.single_without_kid, and alone if a test changes the key set",
    needs("hooks", "faults"),
    async () => {
      const { publicJwk } = await makeKey("ES256");
      await using lab = await hallpass({ signingKeys: [{ jwk: publicJwk }] });
      const fault = lab.fault("jwks.single_without_kid");
      assertEquals((await keySetOf(lab)).keys.map(({ kid, alg }) => [kid, alg]), [[
        undefined,
        "RS256",
      ]]);
      lab.faults.remove(fault.id);
      lab.fault("jwks.changed", { set: { keys: [publicJwk] } });
      assertEquals((await keySetOf(lab)).keys, [publicJwk]);
    },
  );

  it("is refused if its PEM is of a type that nobody verifies, or if it is a secret", async () => {
    const { publicPem } = await makeKey("ES384");
    const open = (key: object) => hallpass({ signingKeys: [key] });
    await assertRejects(() => open({ pem: publicPem }), LabError, "signingKeys[0]: its PEM holds");
    const attempt = () => open({ jwk: { kty: "oct", k: "c2VjcmV0" } });
    await assertRejects(attempt, Error, "must be a private key");
  });
});
