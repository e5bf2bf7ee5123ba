import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { checkCodeVerifier, isCodeVerifier } from "../../src/server/protocol/pkce.ts";
import { applyRule } from "../../src/server/protocol/rule.ts";
import { sha256 } from "../../src/server/util/crypto/hash.ts";

describe("isCodeVerifier (RFC 7636, section 4.1)", () => {
  it("T22 accepts 43 to 128 unreserved characters", () => {
    assertEquals(["a".repeat(43), "-._~".repeat(32)].map(isCodeVerifier), [true, true]);
  });

  it("T22 accepts no other characters", () => {
    const others = ["+", "/", "=", " ", "é"].map((one) => "a".repeat(43) + one);
    assertEquals(others.filter(isCodeVerifier), []);
  });
});

describe("checkCodeVerifier (RFC 7636, section 4.6)", () => {
  it("T22 depends on every character of the verifier", async () => {
    for (const verifier of ["a".repeat(43), "a".repeat(44), "a".repeat(128)]) {
      const check = async (sent: string) =>
        await checkCodeVerifier(applyRule, await sha256(verifier), sent);
      await check(verifier);
      const others = [`b${verifier.slice(1)}`, `${verifier.slice(0, -1)}b`];
      if (verifier.length < 128) others.push(`${verifier}a`);
      if (verifier.length > 43) others.push(verifier.slice(1));
      for (const other of others) await assertRejects(() => check(other), OAuthError, "must match");
    }
  });
});
