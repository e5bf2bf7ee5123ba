import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { applyRule } from "../../src/server/protocol/rule.ts";
import {
  isScopeToken,
  narrowScope,
  parseScope,
  readScope,
} from "../../src/server/protocol/scope.ts";

describe("parseScope (OAuth 2.1, section 1.4.1)", () => {
  it("A24 reads tokens in any order, each once", () => {
    assertEquals(parseScope(applyRule, "read openid read"), ["read", "openid"]);
  });

  for (const text of ["", " read", "read ", "read  write", 'a"b', "a\\b", "é", "a\tb", "a\u007f"]) {
    it(`A24 refuses ${JSON.stringify(text)}`, () => {
      assertThrows(() => parseScope(applyRule, text), OAuthError, "must be a list of tokens");
    });
  }
});

describe("readScope (OAuth 2.1, section 1.4.1)", () => {
  it("A25 returns the default for a missing scope", () => {
    assertEquals(readScope(applyRule, undefined, ["read", "write"], ["read"]), ["read"]);
  });

  it("A25 refuses a missing scope without a default", () => {
    const attempt = () => readScope(applyRule, undefined, ["read"], []);
    const error = assertThrows(attempt, OAuthError, "must have a scope") as OAuthError;
    assertEquals(error.code, "invalid_scope");
  });

  it("A24 names the allowed scope in its error, and nothing that was sent", () => {
    const attempt = () => readScope(applyRule, "read admin", ["read"], []);
    const error = assertThrows(attempt, OAuthError, "must be one of: read.") as OAuthError;
    assertEquals(error.message.includes("admin"), false);
  });
});

describe("narrowScope (OAuth 2.1, section 4.3.1)", () => {
  const never = () => false;

  it("keeps the granted scope without the parameter, also an empty one", () => {
    assertEquals(narrowScope(applyRule, undefined, ["read", "write"], never), ["read", "write"]);
    assertEquals(narrowScope(applyRule, undefined, [], never), []);
  });

  it("returns the requested part, and never widens", () => {
    assertEquals(narrowScope(applyRule, "write", ["read", "write"], never), ["write"]);
    const attempt = () => narrowScope(applyRule, "admin", ["read"], never);
    assertThrows(attempt, OAuthError, "that was granted: read.");
  });
});

describe("isScopeToken (OAuth 2.1, section 1.4.1)", () => {
  it("is true for one token", () => {
    const texts = ["read", "a:b/c", "read write", "", 'a"'];
    assertEquals(texts.filter(isScopeToken), ["read", "a:b/c"]);
  });
});
