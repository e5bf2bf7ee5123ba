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

async function requestOf(key: ProofKey, changes: Partial<DpopRequest> = {}): Promise<DpopRequest> {
  return {
    method: "GET",
    urls: [url],
    algs: dpopAlgorithms,
    now: startOfTime,
    token: { text: token, jkt: key.jkt },
    ...changes,
  };
}

async function check(changes: ProofChanges = {}, request: Partial<DpopRequest> = {}) {
  const key = await proofKey();
  return await checkDpopProof(
    applyRule,
    await makeProof(key, "GET", url, { token, ...changes }),
    await requestOf(key, request),
  );
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
      assertEquals(
        (await checkDpopProof(
          applyRule,
          await makeProof(key, "GET", url, { token }),
          await requestOf(key),
        ))
          .jkt,
        key.jkt,
      );
    });
  }

  for (const typ of ["application/dpop+jwt", "DPoP+JWT"]) {
    it(`4 accepts the 'typ' in another spelling, ${typ} (RFC 7515, section 4.1.9)`, async () => {
      assertEquals((await check({ header: { typ } })).jkt, (await proofKey()).jkt);
    });
  }

  it("7 refuses a key that names a wrong curve, which would change its thumbprint", async () => {
    const key = await proofKey();
    const proof = await makeProof(key, "GET", url, {
      token,
      header: { jwk: { ...key.jwk, crv: "P-384" } },
    });
    await assertRefused(
      async () => checkDpopProof(applyRule, proof, await requestOf(key)),
      "must be a key for its 'alg'",
    );
  });

  it("7 refuses an RSA key that is costly to verify", async () => {
    const key = await proofKey("RS256");
    const proof = await makeProof(key, "GET", url, {
      token,
      header: { jwk: { ...key.jwk, e: key.jwk.n } },
    });
    await assertRefused(
      async () => checkDpopProof(applyRule, proof, await requestOf(key)),
      "unusually large RSA key",
    );
  });

  const notThisUrl = "The 'htu' of the proof must be the URL of the request";
  const refused: Record<string, [changes: ProofChanges, problem: string]> = {
    "3 without a 'jti'": [{ claims: { jti: undefined } }, "must have a 'jti'"],
    "3 with an empty 'jti'": [{ claims: { jti: "" } }, "must have a 'jti'"],
    "3 with a 'jti' that is not a string": [{ claims: { jti: 7 } }, "must have a 'jti'"],
    "3 without an 'htm'": [{ claims: { htm: undefined } }, "must be the method of the request"],
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
    "8 for a different method": [{ claims: { htm: "POST" } }, "must be the method of the request"],
    "8 for the method in lower case": [
      { claims: { htm: "get" } },
      "must be the method of the request",
    ],
    "9 for a different path": [{ claims: { htu: `${origin}/oauth2/token` } }, notThisUrl],
    "9 for a path with an escaped slash": [
      { claims: { htu: `${origin}/oauth2%2Fuserinfo` } },
      notThisUrl,
    ],
    "9 for a different host": [
      { claims: { htu: "https://evil.example/oauth2/userinfo" } },
      notThisUrl,
    ],
    "9 for a different scheme": [
      { claims: { htu: "http://hallpass.test/oauth2/userinfo" } },
      notThisUrl,
    ],
    "9 for a different port": [{ claims: { htu: `${origin}:8443/oauth2/userinfo` } }, notThisUrl],
    "9 for the path in upper case": [{ claims: { htu: `${origin}/OAUTH2/userinfo` } }, notThisUrl],
    "9 for a URL with a user name": [{
      claims: { htu: "https://a@hallpass.test/oauth2/userinfo" },
    }, notThisUrl],
    "9 for a URL with a password": [{
      claims: { htu: "https://:p@hallpass.test/oauth2/userinfo" },
    }, notThisUrl],
    "9 for an 'htu' that is not a URL": [{ claims: { htu: "/oauth2/userinfo" } }, notThisUrl],
    "11 from an hour ago": [{ claims: { iat: iat - 3600 } }, "is 3600 seconds in the past"],
    "11 from an hour later": [{ claims: { iat: iat + 3600 } }, "is 3600 seconds in the future"],
    "11 from 61 seconds ago": [{ claims: { iat: iat - 61 } }, "is 61 seconds in the past"],
    "11 from 61 seconds later": [{ claims: { iat: iat + 61 } }, "is 61 seconds in the future"],
    "11 that has expired": [{ claims: { exp: iat - 300 } }, "cannot be verified"],
    "11 that is not valid yet": [{ claims: { nbf: iat + 300 } }, "cannot be verified"],
    "12 without an 'ath'": [{ claims: { ath: undefined } }, "The 'ath' of the proof"],
    "12 with the 'ath' of a different token": [
      { token: "another-token" },
      "The 'ath' of the proof",
    ],
  };
  for (const [what, [changes, problem]] of Object.entries(refused)) {
    it(`refuses a proof ${what}`, () => assertRefused(() => check(changes), problem));
  }

  it("1 refuses two proofs in one header line", async () => {
    const key = await proofKey();
    const [one, two] = [
      await makeProof(key, "GET", url, { token }),
      await makeProof(key, "GET", url, { token }),
    ];
    await assertRefused(
      async () => checkDpopProof(applyRule, `${one}, ${two}`, await requestOf(key)),
      "must have one DPoP header",
    );
  });

  for (
    const text of [
      "",
      "x",
      "a.b",
      "a.b.c.d",
      "..",
      "é.é.é",
      `${btoa("null")}.e30.AA`,
      "A".repeat(100_000),
    ]
  ) {
    it(`2 refuses '${text.slice(0, 12)}', which is not a JWT`, async () => {
      await assertRefused(async () =>
        checkDpopProof(applyRule, text, await requestOf(await proofKey()))
      );
    });
  }

  it("2 refuses an oversized proof", () =>
    assertRefused(() => check({ claims: { more: "x".repeat(9000) } })));

  it("2 reads a proof of 8192 characters, and no longer one", async () => {
    const request = await requestOf(await proofKey());
    await assertRefused(
      () => checkDpopProof(applyRule, "A".repeat(8192), request),
      "must be the compact form of a signed JWT",
    );
    await assertRefused(
      () => checkDpopProof(applyRule, "A".repeat(8193), request),
      "at most 8192",
    );
  });

  it("5 refuses 'alg: none'", async () => {
    const key = await proofKey();
    const [, claims] = (await makeProof(key, "GET", url, { token })).split(".");
    const header = base64url.encode(JSON.stringify({ typ: "dpop+jwt", alg: "none", jwk: key.jwk }));
    await assertRefused(async () =>
      checkDpopProof(applyRule, `${header}.${claims}.`, await requestOf(key))
    );
  });

  it("5 refuses a symmetric algorithm", async () => {
    const jwk = { kty: "oct", k: base64url.encode(crypto.getRandomValues(new Uint8Array(32))) };
    const key = {
      ...await proofKey(),
      alg: "HS256",
      jwk,
      privateKey: base64url.decode(jwk.k) as unknown as CryptoKey,
    };
    await assertRefused(async () =>
      checkDpopProof(applyRule, await makeProof(key, "GET", url, { token }), await requestOf(key))
    );
  });

  it("5 refuses an algorithm that the server excludes, such as RS256 in FAPI 2.0", async () => {
    const key = await proofKey("RS256");
    const request = await requestOf(key, { algs: ["ES256", "PS256"] });
    await assertRefused(async () =>
      checkDpopProof(applyRule, await makeProof(key, "GET", url, { token }), request)
    );
  });

  it("6 refuses a signature of a different key", async () => {
    const [key, another] = [await proofKey(), await proofKey("ES256 another")];
    const proof = await makeProof({ ...another, jwk: key.jwk }, "GET", url, { token });
    await assertRefused(async () => checkDpopProof(applyRule, proof, await requestOf(key)));
  });

  it("6 refuses a proof that was changed", async () => {
    const key = await proofKey();
    const [header, , signature] = (await makeProof(key, "GET", url, { token })).split(".");
    const [, claims] = (await makeProof(key, "GET", url, { token })).split(".");
    await assertRefused(async () =>
      checkDpopProof(applyRule, `${header}.${claims}.${signature}`, await requestOf(key))
    );
  });

  for (const name of ["ES256", "RS256", "EdDSA"]) {
    it(`7 refuses a private ${name} key in the header`, async () => {
      const key = await proofKey(name);
      const proof = await makeProof(key, "GET", url, { token, header: { jwk: key.privateJwk } });
      await assertRefused(
        async () => checkDpopProof(applyRule, proof, await requestOf(key)),
        "must be public",
      );
    });
  }

  it("12 refuses a proof of a key that the token is not bound to", async () => {
    const [key, another] = [await proofKey(), await proofKey("ES256 another")];
    await assertRefused(async () =>
      checkDpopProof(
        applyRule,
        await makeProof(another, "GET", url, { token }),
        await requestOf(key),
      )
    );
  });

  const accepted: Array<[what: string, changes: ProofChanges]> = [
    ["a query in 'htu'", { claims: { htu: `${url}?a=b` } }],
    ["a fragment in 'htu'", { claims: { htu: `${url}#a` } }],
    ["an 'htu' with scheme and host in upper case", {
      claims: { htu: "HTTPS://HallPass.TEST/oauth2/userinfo" },
    }],
    ["an 'htu' with the default port", {
      claims: { htu: "https://hallpass.test:443/oauth2/userinfo" },
    }],
    ["an 'htu' with needless escapes", {
      claims: { htu: "https://hallpass.test/oauth2/%75serinfo" },
    }],
    ["an 'iat' 10 seconds ago", { claims: { iat: iat - 10 } }],
    ["an 'iat' 10 seconds in the future", { claims: { iat: iat + 10 } }],
    ["an 'nbf' of now and an 'exp' in five minutes", { claims: { nbf: iat, exp: iat + 300 } }],
    ["unknown claims and header members", {
      claims: { more: { a: 1 } },
      header: { more: "b" },
    }],
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
    const idOf = async (of: ProofKey, address: string) =>
      (await checkDpopProof(
        applyRule,
        await makeProof(of, "GET", address, { claims }),
        await requestOf(of, { token: undefined, urls: [address] }),
      ))
        .id;
    const first = await idOf(key, url);
    assertEquals(await idOf(key, `${url}?again`), first);
    assertEquals(new Set([first, await idOf(key, `${url}2`), await idOf(another, url)]).size, 3);
  });
});
