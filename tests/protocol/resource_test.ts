import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { OAuthError } from "../../src/protocol/oauth_error.ts";
import { narrowResources, readResources } from "../../src/protocol/resource.ts";

describe("readResources (RFC 8707, section 2)", () => {
  it("takes several, each once", () => {
    assertEquals(readResources(["https://a.example", "urn:b", "urn:b"], "any"), ["https://a.example", "urn:b"]);
  });

  for (const value of ["api", "/api", "https://a.example#x", "https://a.example/#", "https://a b", ""]) {
    it(`refuses '${value}'`, () => {
      assertThrows(() => readResources([value], "any"), OAuthError, "absolute URI");
    });
  }

  it("refuses one that is not configured", () => {
    const error = assertThrows(() => readResources(["urn:b"], { only: ["urn:a"] }), OAuthError) as OAuthError;
    assertEquals(error.code, "invalid_target");
  });
});

describe("narrowResources (RFC 8707, section 2.2)", () => {
  it("keeps what was granted where nothing is named", () => {
    assertEquals(narrowResources([], ["urn:a"]), ["urn:a"]);
  });

  it("narrows", () => {
    assertEquals(narrowResources(["urn:a"], ["urn:a", "urn:b"]), ["urn:a"]);
  });

  it("never widens", () => {
    assertThrows(() => narrowResources(["urn:c"], ["urn:a"]), OAuthError, "not part");
  });
});
