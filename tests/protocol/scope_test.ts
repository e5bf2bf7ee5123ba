import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { OAuthError } from "../../src/protocol/oauth_error.ts";
import { parseScope, readScope } from "../../src/protocol/scope.ts";

describe("parseScope (OAuth 2.1, section 1.4.1)", () => {
  it("A24 reads tokens in any order, each once", () => {
    assertEquals(parseScope("read openid read"), ["read", "openid"]);
  });

  for (const text of ["", " read", "read ", "read  write", 'a"b', "a\\b", "é", "a\tb", "a\u007f"]) {
    it(`A24 refuses ${JSON.stringify(text)}`, () => {
      assertThrows(() => parseScope(text), OAuthError, "must be a list of tokens");
    });
  }
});

describe("readScope", () => {
  it("A25 returns the default for a missing scope", () => {
    assertEquals(readScope(undefined, ["read", "write"], ["read"]), ["read"]);
  });

  it("A24 names the scope that is not allowed", () => {
    assertThrows(() => readScope("read admin", ["read"], []), OAuthError, "'admin'");
  });
});
