import { assert, assertEquals, assertRejects } from "@std/assert";
import { base64url } from "jose";
import { describe, it } from "node:test";
import {
  checkDpopProof,
  dpopAlgorithms,
  type DpopRequest,
} from "../../src/server/protocol/dpop_proof.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { applyRule } from "../../src/server/protocol/rule.ts";
import { makeProof, type ProofChanges, type ProofKey, proofKey } from "../support/dpop.ts";
import { startOfTime } from "../support/kit.ts";

const origin = "https://hallpass.test";
const url = `${origin}/oauth2/userinfo`;
const token = "an-access-token";
const iat = startOfTime / 1000;

/** Checks a proof, for a token that is bound to this key. */
async function checkProof(proof: string, key?: ProofKey, changes: Partial<DpopRequest> = {}) {
  const { jkt } = key ?? await proofKey();
  return await checkDpopProof(applyRule, proof, {
    ...{ method: "GET", urls: [url], algs: dpopAlgorithms, now: startOfTime },
    token: { text: token, jkt },
    ...changes,
  });
}

/** Makes a proof for the token. */
const proofOf = (key: ProofKey, changes: ProofChanges = {}) =>
  makeProof(key, "GET", url, { token, ...changes });

async function check(changes: ProofChanges = {}, request: Partial<DpopRequest> = {}) {
  const key = await proofKey();
  return await checkProof(await proofOf(key, changes), key, request);
}

async function assertRefused(act: () => Promise<unknown>, message = ""): Promise<void> {
  const error = await assertRejects(act, OAuthError, message) as OAuthError;
  assertEquals(error.code, "invalid_dpop_proof");
}

describe("checkDpopProof (RFC 9449, section 4.3)", () => {
  it("returns the key of a valid proof", async () => {
    assertEquals((await check()).jkt, (await proofKey()).jkt);
  });

  for (const alg of dpopAlgorithms) {
    it(`accepts ${alg}`, async () => {
      const key = await proofKey(alg);
      assertEquals((await checkProof(await proofOf(key), key)).jkt, key.jkt);
    });
  }

  for (const typ of ["application/dpop+jwt", "DPoP+JWT"]) {
    it(`4 accepts the 'typ' in another spelling, ${typ} (RFC 7515, section 4.1.9)`, async () => {
      assertEquals((await check({ header: { typ } })).jkt, (await proofKey()).jkt);
    });
  }

  const notThisUrl = "The 'htu' of the proof must be the URL of the request";
  const htu = (htu: string): [ProofChanges, string] => [{ claims: { htu } }, notThisUrl];
  const notThisMethod = "must be the method of the request";
  const refused: Record<string, [changes: ProofChanges, problem: string]> = {
    "3 without a 'jti'": [{ claims: { jti: undefined } }, "must have a 'jti'"],
    "3 with an empty 'jti'": [{ claims: { jti: "" } }, "must have a 'jti'"],
    "3 with a 'jti' that is not a string": [{ claims: { jti: 7 } }, "must have a 'jti'"],
    "3 without an 'htm'": [{ claims: { htm: undefined } }, notThisMethod],
    "3 without an 'htu'": [{ claims: { htu: undefined } }, notThisUrl],
    "3 without an 'iat'": [{ claims: { iat: undefined } }, "must have an 'iat'"],
    "3 with an 'iat' that is not a number": [{ claims: { iat: `${iat}` } }, "must be a number"],
    "4 without a 'typ'": [{ header: { typ: undefined } }, "must be 'dpop+jwt'"],
    "4 with a different 'typ'": [{ header: { typ: "JWT" } }, "must be 'dpop+jwt'"],
    "4 with a 'typ' of a different kind": [{ header: { typ: "text/dpop+jwt" } }, "'dpop+jwt'"],
    "7 without a 'jwk'": [{ header: { jwk: undefined } }, "must contain the public key"],
    "7 with null for a 'jwk'": [{ header: { jwk: null } }, "must contain the public key"],
    "7 with a list for a 'jwk'": [{ header: { jwk: [] } }, "must be a key for its 'alg'"],
    "7 with a string for a 'jwk'": [{ header: { jwk: "x" } }, "must contain the public key"],
    "7 with half a 'jwk'": [{ header: { jwk: { kty: "EC", crv: "P-256", x: "AA" } } }, "own key"],
    "8 for a different method": [{ claims: { htm: "POST" } }, notThisMethod],
    "8 for the method in lower case": [{ claims: { htm: "get" } }, notThisMethod],
    "9 for a different path": htu(`${origin}/oauth2/token`),
    "9 for a path with an escaped slash": htu(`${origin}/oauth2%2Fuserinfo`),
    "9 for a different host": htu("https://evil.example/oauth2/userinfo"),
    "9 for a different scheme": htu("http://hallpass.test/oauth2/userinfo"),
    "9 for a different port": htu(`${origin}:8443/oauth2/userinfo`),
    "9 for the path in upper case": htu(`${origin}/OAUTH2/userinfo`),
    "9 for a URL with a user name": htu("https://a@hallpass.test/oauth2/userinfo"),
    "9 for a URL with a password": htu("https://:p@hallpass.test/oauth2/userinfo"),
    "9 for an 'htu' that is not a URL": htu("/oauth2/userinfo"),
    "11 from an hour ago": [{ claims: { iat: iat - 3600 } }, "is 3600 seconds in the past"],
    "11 from an hour later": [{ claims: { iat: iat + 3600 } }, "is 3600 seconds in the future"],
    "11 from 61 seconds ago": [{ claims: { iat: iat - 61 } }, "is 61 seconds in the past"],
    "11 from 61 seconds later": [{ claims: { iat: iat + 61 } }, "is 61 seconds in the future"],
    "11 that has expired": [{ claims: { exp: iat - 300 } }, "cannot be verified"],
    "11 that is not valid yet": [{ claims: { nbf: iat + 300 } }, "cannot be verified"],
    "12 without an 'ath'": [{ claims: { ath: undefined } }, "The 'ath' of the proof"],
    "12 with the 'ath' of a different token": [{ token: "another" }, "The 'ath' of the proof"],
    "2 that is too long": [{ claims: { more: "x".repeat(9000) } }, "at most 8192"],
  };
  for (const [what, [changes, problem]] of Object.entries(refused)) {
    it(`refuses a proof ${what}`, () => assertRefused(() => check(changes), problem));
  }

  type MakeProof = (key: ProofKey) => Promise<string>;
  const ofKeys: Record<string, [make: MakeProof, problem?: string, alg?: string]> = {
    "1 two proofs in one header line": [
      async (key) => `${await proofOf(key)}, ${await proofOf(key)}`,
      "must have one DPoP header",
    ],
    "5 'alg: none'": [async (key) => {
      const [, claims] = (await proofOf(key)).split(".");
      const header = { typ: "dpop+jwt", alg: "none", jwk: key.jwk };
      return `${base64url.encode(JSON.stringify(header))}.${claims}.`;
    }],
    "5 a symmetric algorithm": [(key) => {
      const secret = crypto.getRandomValues(new Uint8Array(32));
      const jwk = { kty: "oct", k: base64url.encode(secret) };
      return proofOf({ ...key, alg: "HS256", jwk, privateKey: secret as unknown as CryptoKey });
    }],
    "6 a signature of a different key": [
      async (key) => await proofOf({ ...await proofKey("ES256 another"), jwk: key.jwk }),
    ],
    "6 a proof that was changed": [async (key) => {
      const [header, , signature] = (await proofOf(key)).split(".");
      return `${header}.${(await proofOf(key)).split(".")[1]}.${signature}`;
    }],
    "7 a key that names a wrong curve, which would change its thumbprint": [
      (key) => proofOf(key, { header: { jwk: { ...key.jwk, crv: "P-384" } } }),
      "must be a key for its 'alg'",
    ],
    "7 an RSA key that is costly to verify": [
      (key) => proofOf(key, { header: { jwk: { ...key.jwk, e: key.jwk.n } } }),
      "unusually large RSA key",
      "RS256",
    ],
    "12 a proof of a key that the token is not bound to": [
      async () => await proofOf(await proofKey("ES256 another")),
    ],
  };
  for (const [what, [make, problem, alg]] of Object.entries(ofKeys)) {
    it(`refuses ${what}`, async () => {
      const key = await proofKey(alg);
      await assertRefused(async () => await checkProof(await make(key), key), problem);
    });
  }

  for (const alg of ["ES256", "RS256", "EdDSA"]) {
    it(`7 refuses a private ${alg} key in the header`, async () => {
      const key = await proofKey(alg);
      const proof = await proofOf(key, { header: { jwk: key.privateJwk } });
      await assertRefused(() => checkProof(proof, key), "must be public");
    });
  }

  const parts = ["", "x", "a.b", "a.b.c.d", "..", "é.é.é", `${btoa("null")}.e30.AA`];
  for (const text of [...parts, "A".repeat(100_000)]) {
    it(`2 refuses '${text.slice(0, 12)}', which is not a JWT`, () =>
      assertRefused(() => checkProof(text)));
  }

  it("2 reads a proof of 8192 characters, and no longer one", async () => {
    const notJwt = "must be the compact form of a signed JWT";
    await assertRefused(() => checkProof("A".repeat(8192)), notJwt);
    await assertRefused(() => checkProof("A".repeat(8193)), "at most 8192");
  });

  it("5 refuses an algorithm that the server excludes, such as RS256 in FAPI 2.0", async () => {
    const key = await proofKey("RS256");
    const proof = await proofOf(key);
    await assertRefused(() => checkProof(proof, key, { algs: ["ES256", "PS256"] }));
  });

  const accepted: Array<[what: string, changes: ProofChanges]> = [
    ["a query in 'htu'", { claims: { htu: `${url}?a=b` } }],
    ["a fragment in 'htu'", { claims: { htu: `${url}#a` } }],
    ["an 'htu' in upper case", { claims: { htu: "HTTPS://HallPass.TEST/oauth2/userinfo" } }],
    ["an 'htu' with its port", { claims: { htu: "https://hallpass.test:443/oauth2/userinfo" } }],
    ["needless escapes in 'htu'", { claims: { htu: `${origin}/oauth2/%75serinfo` } }],
    ["an 'iat' 10 seconds ago", { claims: { iat: iat - 10 } }],
    ["an 'iat' 10 seconds in the future", { claims: { iat: iat + 10 } }],
    ["an 'nbf' of now and an 'exp' in five minutes", { claims: { nbf: iat, exp: iat + 300 } }],
    ["unknown members", { claims: { more: { a: 1 } }, header: { more: "b" } }],
  ];
  for (const [what, changes] of accepted) {
    it(`accepts ${what}`, async () => assert((await check(changes)).jkt));
  }

  it("compares escapes in any case, and keeps those that mean something", async () => {
    const urls = [`${origin}/a%2Fb`];
    assert((await check({ claims: { htu: `${origin}/a%2fb` } }, { urls })).jkt);
    await assertRefused(() => check({ claims: { htu: `${origin}/a/b` } }, { urls }), notThisUrl);
  });

  it("ignores a nonce that is not a string, which no server gives", async () => {
    assertEquals((await check({ claims: { nonce: 5 } })).nonce, undefined);
    assertEquals((await check({ claims: { nonce: "n" } })).nonce, "n");
  });

  it("ignores the query and fragment of the request too", async () => {
    assert((await check({}, { urls: [`${url}?a=b#c`] })).jkt);
  });

  it("needs no 'ath' without a token", async () => {
    assert((await check({ claims: { ath: undefined } }, { token: undefined })).jkt);
  });

  it("gives proofs the same id if they share the 'jti', the URL and the key", async () => {
    const claims = { jti: "once" };
    const [key, another] = [await proofKey(), await proofKey("ES256 another")];
    const idOf = async (of: ProofKey, address: string) => {
      const proof = await makeProof(of, "GET", address, { claims });
      return (await checkProof(proof, of, { token: undefined, urls: [address] })).id;
    };
    const first = await idOf(key, url);
    assertEquals(await idOf(key, `${url}?again`), first);
    assertEquals(new Set([first, await idOf(key, `${url}2`), await idOf(another, url)]).size, 3);
  });
});
