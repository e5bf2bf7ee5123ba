import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { clientAssertionAlgorithms } from "../../src/server/protocol/client_assertion.ts";
import {
  candidateKeys,
  clientKeyProblem,
  namedKeys,
  readPublicKeys,
  signsNothing,
  untrustedKeyProblem,
} from "../../src/server/protocol/client_key.ts";
import { jwtTimesProblem } from "../../src/server/protocol/jwt.ts";

const now = 1_000_000;

describe("clientAssertionAlgorithms", () => {
  it("returns the algorithms of the method that the server supports", () => {
    assertEquals(clientAssertionAlgorithms("private_key_jwt", ["ES256", "EdDSA"]), [
      "ES256",
      "EdDSA",
      "Ed25519",
    ]);
    assertEquals(clientAssertionAlgorithms("client_secret_jwt", ["ES256"]), [
      "HS256",
      "HS384",
      "HS512",
    ]);
    assertEquals(clientAssertionAlgorithms("client_secret_basic", ["ES256"]), []);
  });
});

describe("jwtTimesProblem (RFC 7519, sections 4.1.4 to 4.1.6)", () => {
  const rule = { needsExp: false, maxLifetime: 3600 };
  const bounds: Array<[name: string, within: number, beyond: number]> = [
    ["exp", now - 9, now - 10],
    ["exp", now + 3610, now + 3611],
    ["nbf", now + 10, now + 11],
    ["iat", now + 10, now + 11],
  ];
  for (const [name, within, beyond] of bounds) {
    it(`accepts '${name}' at ${within - now}, and not at ${beyond - now}`, () => {
      assertEquals(jwtTimesProblem({ [name]: within }, now, rule), undefined);
      assertEquals(typeof jwtTimesProblem({ [name]: beyond }, now, rule), "string");
    });
  }

  it("accepts numbers only", () => {
    for (const value of ["1", null, NaN, Infinity, {}]) {
      assertEquals(
        jwtTimesProblem({ exp: value }, now, rule),
        "its 'exp' is not a number of seconds",
      );
    }
  });
});

describe("The keys of a client (RFC 7517)", () => {
  const ec = { kty: "EC", crv: "P-256", x: "x".repeat(43), y: "y".repeat(43) };
  const okp = { kty: "OKP", crv: "Ed25519", x: "x".repeat(43) };

  it("have no private part", () => {
    for (const name of ["d", "k", "p", "oth"]) {
      assertEquals(clientKeyProblem({ ...ec, [name]: "x" }) !== undefined, true);
    }
    const keys = [ec, okp, { kty: "RSA", n: "n".repeat(342), e: "AQAB" }];
    assertEquals(keys.map(clientKeyProblem).filter(Boolean), []);
  });

  it("are judged by the members of their type alone", () => {
    const ofRsa: object = { n: [], e: {} };
    const keys = [{ ...ec, ...ofRsa }, { ...okp, ...ofRsa }];
    assertEquals(keys.map(clientKeyProblem).filter(Boolean), []);
  });

  it("have the size of their curve (RFC 7518, section 6.2.1.2; RFC 8037, section 2)", () => {
    for (const size of [1, 42, 44, 86]) {
      const part = "x".repeat(size);
      const keys = [{ ...ec, x: part }, { ...ec, y: part }, { ...okp, x: part }];
      const problem = "has an 'x' or a 'y' that is not 32 bytes in base64url";
      assertEquals(keys.map(clientKeyProblem), [problem, problem, problem]);
    }
    assertEquals(clientKeyProblem({ ...ec, y: `${"y".repeat(42)}+` }) !== undefined, true);
  });

  it("X1: for encryption may be on other curves, with their sizes", () => {
    const sizes = [["P-384", 64, 48], ["P-521", 88, 66]] as const;
    for (const [crv, length, bytes] of sizes) {
      const [x, short] = ["x".repeat(length), "x".repeat(length - 1)];
      const key = { kty: "EC", crv, x, y: x };
      const problem = `has an 'x' or a 'y' that is not ${bytes} bytes in base64url`;
      assertEquals([key, { ...key, y: short }].map(clientKeyProblem), [undefined, problem]);
      assertEquals(clientKeyProblem({ ...key, kty: "OKP" }) !== undefined, true);
      assertEquals(namedKeys([key], { alg: "ECDH-ES" }), [key]);
      assertEquals(signsNothing(key), true);
    }
    const x25519 = { ...okp, crv: "X25519", alg: "ECDH-ES" };
    const fitting = ["ECDH-ES", "ECDH-ES+A128KW", "EdDSA"].filter((alg) =>
      namedKeys([x25519], { alg }).length > 0
    );
    assertEquals(fitting, ["ECDH-ES"]);
  });

  it("X1: on a curve for encryption alone are refused if their use is to sign", () => {
    const key = { ...okp, crv: "X25519", use: "sig" };
    assertMatch(clientKeyProblem(key) ?? "", /is on X25519, and this server verifies no signature/);
  });

  it("are RSA keys of a size that is cheap to verify: anyone can register 20 of them", () => {
    const key = (bytes: number, exponent = "AQAB") => ({
      kty: "RSA",
      n: "n".repeat(Math.ceil(bytes * 4 / 3)),
      e: exponent,
    });
    assertEquals(
      [key(256), key(1024), key(256, "gAAAAQ"), key(1025), key(384, "A".repeat(512))].map(
        (key) => clientKeyProblem(key) === undefined,
      ),
      [true, true, true, false, false],
    );
  });

  it("E09: are no RSA keys of less than 2048 bits, nor with an exponent below 3", () => {
    const isRefused = (key: object) =>
      clientKeyProblem({ kty: "RSA", n: "n".repeat(342), e: "AQAB", ...key }) !== undefined;
    const trivial = ["AQ", "AAE", "AAAB", "AAAAAQ", "AA", "AAA", "AAAA"];
    assertEquals(trivial.filter((e) => !isRefused({ e })), []);
    assertEquals(["Aw", "AAM", "AAAD", "EQ", "AQAB"].filter((e) => isRefused({ e })), []);
    const sizes = [340, 341, 342];
    assertEquals(sizes.filter((size) => isRefused({ n: "n".repeat(size) })), [340, 341]);
  });

  it("Q5: of an untrusted client are cheaper still, and fewer are tried", () => {
    const rsa = (bits: number, e = "AQAB") => ({
      kty: "RSA",
      n: "n".repeat(Math.ceil(bits / 6)),
      e,
    });
    const keys = [rsa(2048), rsa(4096), rsa(4104), rsa(2048, "gAAAAQ")];
    assertEquals(keys.map((key) => clientKeyProblem(key)).filter(Boolean), []);
    assertEquals(keys.filter(untrustedKeyProblem), keys.slice(2));
    const tried = (trusted: boolean, keys: Array<{ kty: string }>) =>
      candidateKeys(keys, { alg: "RS256" }, trusted).length;
    assertEquals([tried(true, keys), tried(false, keys)], [4, 2]);
    const many = Array.from({ length: 30 }, () => rsa(2048));
    assertEquals([tried(true, many), tried(false, many)], [20, 5]);
  });

  it("Q5: that are published are kept with what verifies and what TLS needs, 50 at most", () => {
    const filler = "f".repeat(1000);
    const keys = [
      null,
      filler,
      { kty: "oct", k: filler },
      { ...ec, d: filler },
      { ...ec, kid: "a", use: "sig", x5c: ["AA=="], x5u: filler, filler },
      { ...okp, alg: "EdDSA", key_ops: ["verify"] },
    ];
    assertEquals(readPublicKeys({ keys, filler }), [
      { ...ec, kid: "a", use: "sig", x5c: ["AA=="] },
      { ...okp, alg: "EdDSA", key_ops: ["verify"] },
    ]);
    assertEquals(readPublicKeys({ keys: Array.from({ length: 60 }, () => ec) }).length, 50);
    assertEquals([{}, [], null, { keys: {} }].map(readPublicKeys), [[], [], [], []]);
  });

  it("are on a curve in spite of a member that only RSA keys have", () => {
    assertEquals(clientKeyProblem({ ...ec, n: "A".repeat(2000) }), undefined);
  });

  it("are selected by their type, their kid and their algorithm", () => {
    const keys = [{ ...ec, kid: "a" }, { ...ec, kid: "b", alg: "ES384" }, {
      ...okp,
      kid: "c",
      alg: "EdDSA",
    }];
    const found = (header: { alg: string; kid?: string }) =>
      candidateKeys(keys, header).map(({ kid }) => kid);
    assertEquals(found({ alg: "ES256" }), ["a"]);
    assertEquals(found({ alg: "ES256", kid: "b" }), []);
    assertEquals(found({ alg: "ES256", kid: "a" }), ["a"]);
    assertEquals(found({ alg: "Ed25519" }), ["c"]);
    assertEquals(found({ alg: "EdDSA" }), ["c"]);
    assertEquals(found({ alg: "RS256" }), []);
    assertEquals(found({ alg: "HS256" }), []);
  });

  it("verify no other algorithm of their type", () => {
    const rsa = { kty: "RSA", n: "n".repeat(342), e: "AQAB", alg: "RS256" };
    const fits = (alg: string) => candidateKeys([rsa], { alg }).length;
    assertEquals([fits("RS256"), fits("PS256")], [1, 0]);
  });
});
