import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { checkParameterLengths, toParameters } from "../../src/server/protocol/form_parameters.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { applyRule } from "../../src/server/protocol/rule.ts";

describe("The length of a parameter", () => {
  const bounds: Array<[name: string, max: number]> = [
    ["redirect_uri", 2048],
    ["post_logout_redirect_uri", 2048],
    ["state", 2048],
    ["nonce", 1024],
    ["login_hint", 1024],
    ["acr_values", 1024],
    ["ui_locales", 1024],
    ["scope", 4096],
    ["resource", 4096],
    ["claims", 8192],
    ["authorization_details", 8192],
  ];
  for (const [name, max] of bounds) {
    it(`M8: is at most ${max} for '${name}', and the error names both`, () => {
      checkParameterLengths(applyRule, toParameters([[name, "x".repeat(max)]]));
      const message = `The parameter '${name}' must have at most ${max} characters.`;
      const error = assertThrows(
        () => checkParameterLengths(applyRule, toParameters([[name, "x".repeat(max + 1)]])),
        OAuthError,
        message,
      );
      assertEquals((error as OAuthError).code, "invalid_request");
    });
  }

  it("M8: is the sum of all values of a repeated parameter", () => {
    const values = Array.from({ length: 5 }, () => ["resource", "x".repeat(1000)] as const);
    const attempt = () => checkParameterLengths(applyRule, toParameters(values));
    assertThrows(attempt, OAuthError, "'resource' must have at most 4096");
  });

  it("M8: does not matter for parameters that are not stored", () =>
    checkParameterLengths(applyRule, toParameters([["code", "x".repeat(10_000)]])));
});
