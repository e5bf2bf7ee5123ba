import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  keepAllowedResources,
  narrowResources,
  readResources,
  scopeForResources,
} from "../../src/server/protocol/access_request.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { applyRule } from "../../src/server/protocol/rule.ts";

describe("readResources (RFC 8707, section 2)", () => {
  it("returns several resources, each once", () => {
    assertEquals(
      readResources(applyRule, ["https://a.example", "urn:b", "urn:b"], ["read"], "any"),
      ["https://a.example", "urn:b"],
    );
  });

  for (
    const value of ["api", "/api", "https://a.example#x", "https://a.example/#", "https://a b", ""]
  ) {
    it(`refuses '${value}'`, () => {
      const attempt = () => readResources(applyRule, [value], ["read"], "any");
      assertThrows(attempt, OAuthError, "absolute URI");
    });
  }

  it("refuses resources that know none of the scope, also if repeated", () => {
    const rule = { only: [{ uri: "urn:a", scopes: ["read"] }] };
    const attempt = () => readResources(applyRule, ["urn:a", "urn:a"], ["write"], rule);
    assertThrows(attempt, OAuthError, "must accept at least one of the requested scopes");
    assertEquals(readResources(applyRule, ["urn:a"], ["read", "write"], rule), ["urn:a"]);
  });

  it("reads audiences that are names, and no text that is neither a name nor a URI", () => {
    const audience = (text: string) =>
      readResources(applyRule, ["urn:a"], ["read"], "any", ["api", text]);
    assertEquals(audience("urn:b"), ["urn:a", "api", "urn:b"]);
    for (const text of ["two words", "https://a.example#x", "a:b c", "é", "x".repeat(256)]) {
      const attempt = () => audience(text);
      assertThrows(attempt, OAuthError, "an absolute URI without a fragment, or a name");
    }
  });

  it("refuses a resource that is not configured", () => {
    const error = assertThrows(
      () => readResources(applyRule, ["urn:b"], ["read"], { only: [{ uri: "urn:a" }] }),
      OAuthError,
    ) as OAuthError;
    assertEquals(error.code, "invalid_target");
  });
});

describe("narrowResources (RFC 8707, section 2.2)", () => {
  it("keeps the granted resources without the parameter", () => {
    assertEquals(narrowResources(applyRule, [], ["urn:a"]), ["urn:a"]);
  });

  it("returns the requested ones", () => {
    assertEquals(narrowResources(applyRule, ["urn:a"], ["urn:a", "urn:b"]), ["urn:a"]);
  });

  it("never widens", () => {
    const attempt = () => narrowResources(applyRule, ["urn:c"], ["urn:a"]);
    assertThrows(attempt, OAuthError, "must be one of those that were granted");
  });
});

describe("scopeForResources", () => {
  const rule = {
    only: [{ uri: "urn:a", scopes: ["read"] }, { uri: "urn:b", scopes: ["write"] }, {
      uri: "urn:c",
    }],
  };
  const kept: Array<[at: string[], scope: string[]]> = [
    [["urn:a"], ["read"]],
    [["urn:a", "urn:b"], ["read", "write"]],
    [["urn:c"], ["openid", "read", "write"]],
    [["urn:a", "urn:c"], ["openid", "read", "write"]],
    [["a name of an exchange"], ["openid", "read", "write"]],
  ];
  for (const [at, scope] of kept) {
    it(`keeps '${scope.join(" ")}' at ${at.join(" and ")}`, () => {
      assertEquals(scopeForResources(applyRule, at, ["openid", "read", "write"], rule), scope);
    });
  }

  it("refuses an empty remainder unless an ID token is requested", () => {
    const attempt = () => scopeForResources(applyRule, ["urn:a"], ["write"], rule);
    assertThrows(attempt, OAuthError, "must accept at least one of the requested scopes");
    assertEquals(scopeForResources(applyRule, ["urn:a"], ["openid"], rule), []);
    assertEquals(scopeForResources(applyRule, ["urn:a"], [], rule), []);
  });
});

describe("keepAllowedResources", () => {
  it("keeps what a client may still use", () => {
    assertEquals(keepAllowedResources(applyRule, ["urn:a", "urn:b"], undefined), [
      "urn:a",
      "urn:b",
    ]);
    assertEquals(keepAllowedResources(applyRule, ["urn:a", "urn:b"], ["urn:b"]), ["urn:b"]);
    assertEquals(keepAllowedResources(applyRule, [], ["urn:b"]), []);
  });

  it("refuses an empty remainder, which would mean the default resource", () => {
    const attempt = () => keepAllowedResources(applyRule, ["urn:a"], ["urn:b"]);
    const error = assertThrows(attempt, OAuthError);
    assertEquals((error as OAuthError).code, "invalid_target");
  });
});
