import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  checkRepeatedParameters,
  parseParameters,
  requireParameter,
} from "../../src/protocol/form_parameters.ts";
import { OAuthError } from "../../src/protocol/oauth_error.ts";

describe("parseParameters", () => {
  it("decodes names and values", () => {
    assertEquals(parseParameters("a%20b=c+d%2B&e=%C3%A9").get("a b"), "c d+");
  });

  it("A05 T03 treats an empty value as missing", () => {
    assertEquals(parseParameters("state=&scope").get("state"), undefined);
  });

  it("A06 is case-sensitive", () => {
    assertEquals(parseParameters("Response_Type=code").get("response_type"), undefined);
  });

  it("keeps an equals sign in a value", () => {
    assertEquals(parseParameters("a=b=c").get("a"), "b=c");
  });

  it("counts an empty value as a repeat", () => {
    assertEquals([...parseParameters("state=&state=x").repeated], ["state"]);
  });

  it("refuses too many and too long parameters", () => {
    assertThrows(() => parseParameters("a=1&".repeat(300)), OAuthError, "more than 256");
    assertThrows(() => parseParameters(`a=${"x".repeat(20_000)}`), OAuthError, "longer than");
  });

  for (const text of ["a=%", "a=%zz", "a=%C3", "%E0%A4%A=1", "a=%ff", "a=%00", "%00=a"]) {
    it(`refuses ${text}`, () => {
      assertThrows(() => parseParameters(text), OAuthError);
    });
  }
});

describe("checkRepeatedParameters", () => {
  it("A04 names the repeated parameter", () => {
    assertThrows(
      () => checkRepeatedParameters(parseParameters("nonce=1&nonce=2")),
      OAuthError,
      "'nonce'",
    );
  });

  it("allows repeated resources (RFC 8707, section 2)", () => {
    checkRepeatedParameters(parseParameters("resource=https://a&resource=https://b"));
  });
});

describe("requireParameter", () => {
  it("names the missing parameter", () => {
    assertThrows(() => requireParameter(parseParameters(""), "code", "here"), OAuthError, "'code'");
  });
});
