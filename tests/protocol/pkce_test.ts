import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { toParameters } from "../../src/protocol/form_parameters.ts";
import { OAuthError } from "../../src/protocol/oauth_error.ts";
import { checkCodeVerifier, isCodeVerifier, readCodeChallenge } from "../../src/protocol/pkce.ts";
import { sha256 } from "../../src/util/hash.ts";
import { challenge, verifier } from "../support/kit.ts";

function read(
  challenge: string | undefined,
  method: string | undefined,
  needed: boolean,
): string | undefined {
  return readCodeChallenge(
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

  const refused: Array<[string, string | undefined, string | undefined]> = [
    ["A20 no challenge", undefined, undefined],
    ["A21 no method, which means plain", challenge, undefined],
    ["A22 plain", challenge, "plain"],
    ["A22 S512", challenge, "S512"],
    ["A22 s256", challenge, "s256"],
    ["A23 a method without a challenge", undefined, "S256"],
    ["A23 42 characters", challenge.slice(1), "S256"],
    ["A23 44 characters", `${challenge}a`, "S256"],
    ["A23 padding", `${challenge.slice(1)}=`, "S256"],
    ["A23 the standard base64 alphabet", `${challenge.slice(1)}+`, "S256"],
  ];
  for (const [what, value, method] of refused) {
    it(`refuses ${what}`, () => {
      const error = assertThrows(() => read(value, method, true), OAuthError) as OAuthError;
      assertEquals(error.code, "invalid_request");
    });
  }

  it("refuses a method without a challenge although the client may omit PKCE", () => {
    assertThrows(() => read(undefined, "S256", false), OAuthError);
  });
});

describe("checkCodeVerifier (RFC 7636, section 4.6)", () => {
  it("accepts the verifier of the challenge", async () => {
    await checkCodeVerifier(challenge, verifier);
  });

  const refused: Array<[string, string | undefined, string | undefined, string]> = [
    ["T20 none", challenge, undefined, "invalid_grant"],
    ["a different one", challenge, `${verifier.slice(1)}x`, "invalid_grant"],
    ["the challenge itself (IsPkcePlainDowngradeDetected)", challenge, challenge, "invalid_grant"],
    ["T22 42 characters", challenge, "a".repeat(42), "invalid_grant"],
    ["T22 129 characters", challenge, "a".repeat(129), "invalid_grant"],
    ["B04 one for a code without a challenge", undefined, verifier, "invalid_request"],
  ];
  for (const [what, stored, sent, code] of refused) {
    it(`refuses ${what}`, async () => {
      const error = await assertRejects(
        () => checkCodeVerifier(stored, sent),
        OAuthError,
      ) as OAuthError;
      assertEquals(error.code, code);
    });
  }
});

describe("checkCodeVerifier and the grammar", () => {
  it("T22 refuses a verifier of one character although the challenge is its hash (CVE-2026-41213)", async () => {
    await assertRejects(
      async () => checkCodeVerifier(await sha256("a"), "a"),
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
