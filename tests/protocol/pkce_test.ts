import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { toParameters } from "../../src/server/protocol/form_parameters.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import {
  checkCodeVerifier,
  isCodeVerifier,
  readCodeChallenge,
} from "../../src/server/protocol/pkce.ts";
import { applyRule } from "../../src/server/protocol/rule.ts";
import { sha256 } from "../../src/server/util/crypto/hash.ts";
import { challenge, verifier } from "../support/kit.ts";

function read(
  challenge: string | undefined,
  method: string | undefined,
  needed: boolean,
): string | undefined {
  return readCodeChallenge(
    applyRule,
    toParameters([["code_challenge", challenge ?? ""], ["code_challenge_method", method ?? ""]]),
    needed,
  );
}

describe("readCodeChallenge (RFC 7636, section 4.3)", () => {
  it("A19 reads an S256 challenge", () => {
    assertEquals(read(challenge, "S256", true), challenge);
  });

  it("allows a client to omit PKCE if it may", () => {
    assertEquals(read(undefined, undefined, false), undefined);
  });

  const malformed = "must be a SHA-256: 43 characters of base64url";
  const refused: Array<
    [what: string, value: string | undefined, method: string | undefined, problem: string]
  > = [
    ["A20 no challenge", undefined, undefined, "must have a code_challenge"],
    ["A21 no method, which means plain", challenge, undefined, "the default is 'plain'"],
    ["A22 plain", challenge, "plain", "must be 'S256'"],
    ["A22 S512", challenge, "S512", "must be 'S256'"],
    ["A22 s256", challenge, "s256", "must be 'S256'"],
    ["A23 a method without a challenge", undefined, "S256", "must come with a code_challenge"],
    ["A23 42 characters", challenge.slice(1), "S256", malformed],
    ["A23 44 characters", `${challenge}a`, "S256", malformed],
    ["A23 padding", `${challenge.slice(1)}=`, "S256", malformed],
    ["A23 the standard base64 alphabet", `${challenge.slice(1)}+`, "S256", malformed],
  ];
  for (const [what, value, method, problem] of refused) {
    it(`refuses ${what}`, () => {
      const error = assertThrows(
        () => read(value, method, true),
        OAuthError,
        problem,
      ) as OAuthError;
      assertEquals(error.code, "invalid_request");
    });
  }

  it("refuses a method without a challenge although the client may omit PKCE", () => {
    assertThrows(() => read(undefined, "S256", false), OAuthError);
  });
});

describe("checkCodeVerifier (RFC 7636, section 4.6)", () => {
  it("accepts the verifier of the challenge", async () => {
    await checkCodeVerifier(applyRule, challenge, verifier);
  });

  const different = "must match the code_challenge";
  const malformed = "must have 43 to 128 unreserved characters";
  const refused: Array<
    [what: string, stored: string | undefined, sent: string | undefined, problem: string]
  > = [
    ["T20 none", challenge, undefined, "must have the code_verifier"],
    ["a different one", challenge, `${verifier.slice(1)}x`, different],
    ["the challenge itself (IsPkcePlainDowngradeDetected)", challenge, challenge, different],
    ["T22 42 characters", challenge, "a".repeat(42), malformed],
    ["T22 129 characters", challenge, "a".repeat(129), malformed],
    [
      "B04 one for a code without a challenge",
      undefined,
      verifier,
      "must belong to a code_challenge",
    ],
  ];
  for (const [what, stored, sent, problem] of refused) {
    it(`refuses ${what}`, async () => {
      const error = await assertRejects(
        () => checkCodeVerifier(applyRule, stored, sent),
        OAuthError,
        problem,
      ) as OAuthError;
      assertEquals(error.code, stored === undefined ? "invalid_request" : "invalid_grant");
    });
  }
});

describe("checkCodeVerifier and the grammar", () => {
  it("T22 refuses a verifier of one character although the challenge is its hash (CVE-2026-41213)", async () => {
    await assertRejects(
      async () => checkCodeVerifier(applyRule, await sha256("a"), "a"),
      OAuthError,
      "43 to 128",
    );
  });
});

describe("isCodeVerifier (RFC 7636, section 4.1)", () => {
  it("T22 accepts 43 to 128 unreserved characters", () => {
    assertEquals(["a".repeat(43), "-._~".repeat(32)].map(isCodeVerifier), [true, true]);
  });

  it("T22 accepts no other characters", () => {
    assertEquals(["+", "/", "=", " ", "é"].map((one) => isCodeVerifier("a".repeat(43) + one)), [
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
