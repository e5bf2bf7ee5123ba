import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { isAcceptable, readClaimsRequest } from "../../src/server/protocol/claims_request.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { applyRule } from "../../src/server/protocol/rule.ts";

const mayRequest = (claim: string): boolean => claim !== "salary";

function read(claim: string, request: unknown): unknown {
  const text = JSON.stringify({ userinfo: { [claim]: request } });
  return readClaimsRequest(applyRule, text, mayRequest)?.userinfo[claim];
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { inner: nested(levels - 1) };
}

describe("An individually requested claim (OpenID Connect Core, section 5.5.1)", () => {
  const accepted: Array<[what: string, request: unknown, values: unknown[] | undefined]> = [
    ["that is null", null, undefined],
    ["with a value", { value: "a" }, ["a"]],
    ["with values", { values: ["a", "b"] }, ["a", "b"]],
    ["with a value of eight levels", { value: nested(8) }, [nested(8)]],
    ["with values of eight levels", { values: [nested(8)] }, [nested(8)]],
  ];
  for (const [what, request, values] of accepted) {
    it(`${what} is read`, () => {
      assertEquals((read("name", request) as { values?: unknown[] }).values, values);
    });
  }

  const rejected: Array<[what: string, request: unknown, problem: string]> = [
    ["that is not an object", 5, "neither null nor a JSON object"],
    ["with essential as a string", { essential: "true" }, "neither true nor false"],
    ["with values that are no list", { values: "a" }, "'values' that are not a list"],
    ["with a value and values", { value: "a", values: ["b"] }, "both 'value' and 'values'"],
    ["with a value of nine levels", { value: nested(9) }, "more than 8 levels"],
    ["with one deep member", { value: { flat: 1, deep: nested(8) } }, "more than 8 levels"],
    ["with values of nine levels", { values: [1, nested(9)] }, "more than 8 levels"],
  ];
  for (const [what, request, problem] of rejected) {
    it(`${what} is rejected`, () => {
      assertThrows(() => read("name", request), OAuthError, problem);
    });

    it(`${what} is rejected even if the client may not request the claim`, () => {
      assertThrows(() => read("salary", request), OAuthError, problem);
    });
  }

  it("is voluntary unless it says that it is essential", () => {
    const isEssential = (request: unknown) =>
      (read("name", request) as { essential: boolean }).essential;
    const expected = [false, false, false];
    assertEquals([isEssential(null), isEssential({}), isEssential({ value: "a" })], expected);
    assertEquals(isEssential({ essential: true }), true);
  });

  it("is ignored if the client may not request it", () => {
    assertEquals(read("salary", { essential: true }), undefined);
  });
});

describe("The claims parameter (OpenID Connect Core, section 5.5)", () => {
  const manyClaims = (count: number) =>
    JSON.stringify({
      userinfo: Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, null])),
    });

  it("may name a hundred claims", () => {
    const { userinfo = {} } = readClaimsRequest(applyRule, manyClaims(100), mayRequest) ?? {};
    assertEquals(Object.keys(userinfo).length, 100);
  });

  const rejected: Array<[what: string, text: string, problem: string]> = [
    ["of more than a hundred claims", manyClaims(101), "has 101 claims, more than 100"],
    ["that is not JSON", "{", "The parameter 'claims' is not JSON."],
    ["that is null", "null", "The parameter 'claims' is not a JSON object."],
    ["with a list for a member", '{"id_token":[]}', "The member 'id_token'"],
  ];
  for (const [what, text, problem] of rejected) {
    it(`${what} is rejected`, () => {
      assertThrows(() => readClaimsRequest(applyRule, text, mayRequest), OAuthError, problem);
    });
  }
});

describe("An acceptable value (OpenID Connect Core, section 5.5.1)", () => {
  const address = { country: "NO", locality: "Oslo" };

  it("equals a requested value, in any order of members", () => {
    const reordered = { locality: "Oslo", country: "NO" };
    assertEquals(isAcceptable(address, { essential: false, values: [reordered] }), true);
  });

  it("equals one of several requested values", () => {
    const request = { essential: false, values: ["a", "b"] };
    assertEquals(["a", "b", "c"].map((value) => isAcceptable(value, request)), [true, true, false]);
  });

  it("differs in no member", () => {
    assertEquals(isAcceptable(address, { essential: false, values: [{ country: "NO" }] }), false);
  });

  it("is not a missing one, even if null is requested", () => {
    assertEquals(isAcceptable(undefined, { essential: false, values: [null] }), false);
  });
});
