import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  checkRepeatedParameters,
  parseParameters,
  requiresParameter,
} from "../../src/server/protocol/form_parameters.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { applyRule, ruleSet } from "../../src/server/protocol/rule.ts";

describe("parseParameters", () => {
  it("decodes names and values", () => {
    assertEquals(parseParameters(applyRule, "a%20b=c+d%2B&e=%C3%A9").get("a b"), "c d+");
  });

  it("A05 T03 treats an empty value as missing", () => {
    assertEquals(parseParameters(applyRule, "state=&scope").get("state"), undefined);
  });

  it("reads a name without an equals sign as a whole", () => {
    const parameters = parseParameters(applyRule, "scope&scope=x");
    assertEquals([parameters.get("scop"), [...parameters.repeated]], [undefined, ["scope"]]);
  });

  it("A06 is case-sensitive", () => {
    assertEquals(parseParameters(applyRule, "Response_Type=code").get("response_type"), undefined);
  });

  it("keeps an equals sign in a value", () => {
    assertEquals(parseParameters(applyRule, "a=b=c").get("a"), "b=c");
  });

  it("counts an empty value as a repeat", () => {
    assertEquals([...parseParameters(applyRule, "state=&state=x").repeated], ["state"]);
  });

  it("refuses too many and too long parameters", () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `a${at}=1`).join("&");
    assertEquals(parseParameters(applyRule, many(256)).get("a255"), "1");
    assertThrows(() => parseParameters(applyRule, many(257)), OAuthError, "at most 256");
    const long = (length: number) => `a=${"x".repeat(length)}`;
    assertEquals(parseParameters(applyRule, long(16_384)).get("a")?.length, 16_384);
    assertThrows(() => parseParameters(applyRule, long(16_385)), OAuthError, "at most 16384");
  });

  for (const text of ["a=%", "a=%zz", "a=%C3", "%E0%A4%A=1", "a=%ff", "a=%00", "%00=a"]) {
    it(`refuses ${text}`, () => {
      assertThrows(() => parseParameters(applyRule, text), OAuthError);
    });
  }
});

describe("checkRepeatedParameters (OAuth 2.1, section 3.1)", () => {
  it("A04 names the repeated parameter", () => {
    assertThrows(
      () => checkRepeatedParameters(applyRule, parseParameters(applyRule, "nonce=1&nonce=2")),
      OAuthError,
      "'nonce'",
    );
  });

  it("allows repeated resources (RFC 8707, section 2)", () => {
    checkRepeatedParameters(
      applyRule,
      parseParameters(applyRule, "resource=https://a&resource=https://b"),
    );
  });
});

describe("requiresParameter", () => {
  it("names the missing parameter", () => {
    const about = { see: "here", error: "invalid_request" } as const;
    const codeRules = ruleSet("code", about, { present: requiresParameter("code") });
    assertThrows(() => applyRule(codeRules.present, undefined), OAuthError, "'code'");
  });
});
