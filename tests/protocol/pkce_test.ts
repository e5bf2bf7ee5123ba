import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import type { Client } from "../../src/server/model/client.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import {
  checkCodeVerifier,
  isCodeVerifier,
  mayRedeemUnchallenged,
} from "../../src/server/protocol/pkce.ts";
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

describe("mayRedeemUnchallenged (RFC 9700, section 2.1.1)", () => {
  const secret: Client["authentication"] = ["client_secret_basic"];
  const nonce = "a".repeat(16);
  const clientWith = (pkce: Client["pkce"], authentication = secret) =>
    ({ pkce, authentication }) as Client;
  const rows: Array<[title: string, client: Client, granted: object, may: boolean]> = [
    ["a public client", clientWith("optional", ["none"]), {}, false],
    ["a client without a value", clientWith(undefined), {}, false],
    ["'required'", clientWith("required"), {}, false],
    ["'optional' without a nonce", clientWith("optional"), { nonce: undefined }, true],
    ["'or-nonce' with openid and a nonce", clientWith("or-nonce"), {}, true],
    ["'or-nonce' without a nonce", clientWith("or-nonce"), { nonce: undefined }, false],
    ["'or-nonce' with a short nonce", clientWith("or-nonce"), { nonce: nonce.slice(1) }, false],
    ["'or-nonce' without openid", clientWith("or-nonce"), { scope: ["read"] }, false],
    ["a client that need not authenticate", clientWith("or-nonce", ["none", ...secret]), {}, false],
  ];
  for (const [title, client, granted, may] of rows) {
    it(`A19 T21 is ${may} for ${title}`, () => {
      assertEquals(mayRedeemUnchallenged(client, { scope: ["openid"], nonce, ...granted }), may);
    });
  }
});
