import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  exportPKCS8,
  type JSONWebKeySet,
  type JWK,
} from "jose";
import { createPrivateKey } from "node:crypto";
import { describe, it } from "node:test";
import { ConfigError } from "../../src/server/config/problems.ts";
import type { SigningKeyConfig } from "../../src/server/config/signing_key_config.ts";
import type { Config } from "../../src/server/features.ts";
import { maintainKeys, rotateKey } from "../../src/server/issuer/keys/rotate_keys.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { makeKeyPair } from "../support/key_pairs.ts";
import { isActive, type Kit, openKit, openStrictKit } from "../support/kit.ts";

/** As OpenSSL writes a key on P-256, and one on another curve. */
const sec1Key = [
  "-----BEGIN EC PARAMETERS-----",
  "BggqhkjOPQMBBw==",
  "-----END EC PARAMETERS-----",
  "-----BEGIN EC PRIVATE KEY-----",
  "MHcCAQEEIGh4k5ZCPgWmz7WrEEOUlli7NNJtKtfx3TGBL4a8fwyLoAoGCCqGSM49",
  "AwEHoUQDQgAEp5TK5apsjMs92VfLgO7Idxqrm82ogCrat3vycgZ0XX1QJ+3cUGqk",
  "pClY08j9/k3PUMrswDdtJ8whAwe1m+Le7g==",
  "-----END EC PRIVATE KEY-----",
].join("\n");
const sec1OnP384 = [
  "-----BEGIN EC PRIVATE KEY-----",
  "MIGkAgEBBDB1/cM7oEtbTD585Scrg+T1jKRkt8NRwh/MpxqGJCFD+voeHsAB4mtJ",
  "FwJ2kVpq1QygBwYFK4EEACKhZANiAAQ2clyqpRqD3dSUFLAIiz4f2uciRVgq4uet",
  "Jy3Ej9PzS+WRSI6pUurskdl3uV9nafcvufTAwMpUJYk/vtYVpU9P5iA4qa7M83YN",
  "ijy1TfW6zpwz+4wJsoItMAvYrx4ESzU=",
  "-----END EC PRIVATE KEY-----",
].join("\n");

async function makeKey(alg: string) {
  const { privateKey, privateJwk: jwk } = await makeKeyPair(alg);
  return { jwk, pem: await exportPKCS8(privateKey) };
}

async function publishedKeys(kit: Kit): Promise<JWK[]> {
  const response = await kit.get("/oauth2/jwks");
  return (await response.json() as JSONWebKeySet).keys;
}

const headerOf = async (kit: Kit) =>
  decodeProtectedHeader((await kit.tokens({ scope: "openid" })).access_token);

describe("Signing keys in the configuration", () => {
  for (const alg of ["RS256", "PS256", "ES256", "EdDSA"] as const) {
    it(`sign and are published, as JWK and as PEM: ${alg}`, async () => {
      const { jwk, pem } = await makeKey(alg);
      const thumbprint = await calculateJwkThumbprint(jwk);
      const forms: Array<[key: SigningKeyConfig, kid: string]> = [
        [{ jwk: { ...jwk, alg, kid: "mine" } }, "mine"],
        [{ jwk, alg, kid: "named" }, "named"],
        [{ pem, alg }, thumbprint],
      ];
      for (const [key, kid] of forms) {
        const kit = openKit({ alg, signingKeys: [key] });
        const { alg: used, kid: named } = await headerOf(kit);
        assertEquals([used, named], [alg, kid]);
        const published = (await publishedKeys(kit)).find((each) => each.kid === kid);
        assertEquals([published?.alg, published?.use, published?.d], [alg, "sig", undefined]);
        assertEquals(await isActive(kit, (await kit.tokens({ scope: "read" })).access_token), true);
      }
    });
  }

  for (const alg of ["RS256", "PS256"] as const) {
    it(`U12: are read from PKCS1, too: ${alg}`, async () => {
      const { pem, jwk } = await makeKey(alg);
      const pkcs1 = String(createPrivateKey(pem).export({ type: "pkcs1", format: "pem" }));
      assertMatch(pkcs1, /^-----BEGIN RSA PRIVATE KEY-----/);
      const kit = openKit({ alg, signingKeys: [{ pem: `Bag Attributes\n${pkcs1}`, alg }] });
      const { alg: used, kid } = await headerOf(kit);
      assertEquals([used, kid], [alg, await calculateJwkThumbprint(jwk)]);
    });
  }

  it("K12: are read from SEC1, too, as Go and OpenSSL write them", async () => {
    for (const pem of [sec1Key, sec1Key.slice(sec1Key.indexOf("-----BEGIN EC PRIVATE"))]) {
      for (
        const kit of [
          openKit({ signingKeys: [{ pem }] }),
          openStrictKit({ alg: "ES256", signingKeys: [{ pem, alg: "ES256" }] }),
        ]
      ) {
        const published = (await publishedKeys(kit)).find(({ alg }) => alg === "ES256");
        assertEquals([published?.kty, published?.crv, published?.d], ["EC", "P-256", undefined]);
      }
    }
    const kit = openKit({ alg: "ES256", signingKeys: [{ pem: sec1Key, kid: "mine" }] });
    assertEquals(await headerOf(kit), { typ: "at+jwt", alg: "ES256", kid: "mine" });
    assertEquals(await isActive(kit, (await kit.tokens({ scope: "read" })).access_token), true);
  });

  it("have the algorithm that fits them, if they name none", async () => {
    for (
      const [made, alg] of [["RS256", "RS256"], ["ES256", "ES256"], ["EdDSA", "EdDSA"]] as const
    ) {
      const { pem, jwk } = await makeKey(made);
      for (const key of [{ pem }, { jwk }]) {
        const keys = await publishedKeys(openKit({ signingKeys: [{ ...key, kid: "mine" }] }));
        assertEquals(keys.find(({ kid }) => kid === "mine")?.alg, alg);
      }
    }
  });

  it("sign in their order: a second key of an algorithm only verifies", async () => {
    const [one, two] = [await makeKey("ES256"), await makeKey("ES256")];
    const keys = [{ jwk: one.jwk, kid: "one" }, { jwk: two.jwk, kid: "two" }];
    const before = openKit({ alg: "ES256", signingKeys: keys });
    const listed = await before.server.context.keys.configured();
    assertEquals(listed.map(({ kid }) => kid), ["one", "two"]);
    const { access_token } = await before.tokens({ scope: "read" });
    const store = before.server.context.settings.store;
    const after = openKit({ alg: "ES256", signingKeys: keys.toReversed(), store });
    assertEquals([(await headerOf(before)).kid, (await headerOf(after)).kid], ["one", "two"]);
    assertEquals(await isActive(after, access_token), true);
  });

  it("take over from stored keys, whose tokens stay valid, and are never stored or replaced", async () => {
    const store = memoryStore();
    const before = openKit({ alg: "ES256", store });
    const { access_token } = await before.tokens({ scope: "read" });
    const { jwk } = await makeKey("ES256");
    const kit = openKit({ alg: "ES256", store, signingKeys: [{ jwk, kid: "mine" }] });
    const stored = async () =>
      (await kit.server.context.records.keys.list()).filter(([, { alg }]) => alg === "ES256")
        .length;
    const count = await stored();
    await rotateKey(kit.server.context);
    await maintainKeys(kit.server.context);
    assertEquals([(await headerOf(kit)).kid, await stored()], ["mine", count]);
    assertEquals(await isActive(kit, access_token), true);
  });

  it("take over: a stored key is published until its tokens have expired, or it signs again", async () => {
    const store = memoryStore();
    const open = (signingKeys: SigningKeyConfig[]) => openKit({ alg: "ES256", store, signingKeys });
    const kids = async (kit: Kit) =>
      (await publishedKeys(kit)).filter(({ alg }) => alg === "ES256").map(({ kid }) => kid);
    const before = open([]);
    const [stored] = await kids(before);
    const { jwk } = await makeKey("ES256");
    const kit = open([{ jwk, kid: "mine" }]);
    assertEquals(await kids(kit), ["mine", stored]);
    kit.clock.advance(3600 + 120);
    assertEquals(await kids(kit), ["mine"]);
    assertEquals(await kids(open([])), [stored]);
  });
});

function pemOf(label: string, headers = ""): string {
  return `-----BEGIN ${label}-----\n${headers}AAAA\n-----END ${label}-----\n`;
}

describe("A signing key that cannot sign", () => {
  const rsaPublic = { kty: "RSA", n: "A".repeat(342), e: "AQAB" };
  const cases: Array<[key: unknown, problem: RegExp, config?: Partial<Config>]> = [
    [{}, /signingKeys\[0\] must have either jwk or pem/],
    [{ jwk: rsaPublic, pem: "x" }, /must have either jwk or pem/],
    [{ jwk: rsaPublic }, /must be a private key: its jwk has no 'd'/],
    [{ jwk: { ...rsaPublic, d: "A", n: "AAAA" } }, /must have at least 2048 bits/],
    [{ jwk: { ...rsaPublic, d: "A", p: "A" } }, /must have q, dp, dq, qi in its jwk/],
    [{ jwk: { kty: "oct", k: "A", d: "A" } }, /must be for one of: RS256, ES256/],
    [{ jwk: { ...rsaPublic, d: "A" }, alg: "ES256" }, /cannot sign with ES256/],
    [{ jwk: { ...rsaPublic, d: "A", alg: "none" } }, /must be for one of/],
    [{ pem: "-----BEGIN RSA PRIVATE KEY-----" }, /openssl pkcs8 -topk8/],
    [{ pem: pemOf("EC PRIVATE KEY") }, /openssl pkcs8 -topk8/],
    [{ pem: sec1OnP384 }, /openssl pkcs8 -topk8/],
    [{ pem: pemOf("ENCRYPTED PRIVATE KEY") }, /is not encrypted/],
    [{ pem: pemOf("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\n\n") }, /is not encrypted/],
    [{ pem: pemOf("PUBLIC KEY") }, /must be a private key: only a server for tests may publish/],
    [
      { pem: pemOf("RSA PUBLIC KEY") },
      /must be a private key: only a server for tests may publish/,
    ],
    [{ jwk: { ...rsaPublic, d: "A" } }, /signs with RS256; the profile fapi-2.0 allows/, {
      profile: "fapi-2.0",
    }],
  ];
  for (const [key, problem, config] of cases) {
    it(`is a problem of the configuration: ${problem.source}`, () => {
      const open = () => openStrictKit({ signingKeys: [key as SigningKeyConfig], ...config });
      assertMatch(assertThrows(open, ConfigError).message, problem);
    });
  }

  it("is a problem if it has the kid of another one", async () => {
    const { jwk } = await makeKey("ES256");
    const signingKeys = [{ jwk, kid: "a" }, { jwk, kid: "a" }];
    assertMatch(
      assertThrows(() => openStrictKit({ signingKeys }), ConfigError).message,
      /the 'kid' of signingKeys contains 'a' twice|kid.*signingKeys.*'a'/,
    );
  });

  it("stops the start of the server if its PEM holds no key", async () => {
    const pem = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----";
    const kit = openStrictKit({ signingKeys: [{ pem }] });
    const message = "Cannot use signingKeys[0]: its PEM holds no private key for RS256";
    await assertRejects(() => kit.server.ready(), Error, message);
  });

  it("stops the start of the server if its PEM holds an RSA key of 1024 bits", async () => {
    const { privateKey } = await crypto.subtle.generateKey(
      {
        name: "RSASSA-PKCS1-v1_5",
        modulusLength: 1024,
        publicExponent: Uint8Array.of(1, 0, 1),
        hash: "SHA-256",
      },
      true,
      ["sign", "verify"],
    );
    const kit = openStrictKit({ signingKeys: [{ pem: await exportPKCS8(privateKey) }] });
    await assertRejects(() => kit.server.ready(), Error, "it has too few bits");
  });
});
