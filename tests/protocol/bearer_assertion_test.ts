import { assertEquals } from "@std/assert";
import { UnsecuredJWT } from "jose";
import { describe, it } from "node:test";
import { assertionClaimRules } from "../../src/server/protocol/assertion_rules.ts";
import {
  assertionResources,
  assertionScope,
  peekBearerAssertion,
} from "../../src/server/protocol/bearer_assertion.ts";
import { brokenRule } from "../../src/server/protocol/rule.ts";

const issuer = "https://id.example";
const now = 1_000_000;
const good = { iss: "https://idp.example", sub: "zoe", aud: issuer, jti: "1", exp: now + 60 };

/** Returns the id of the first broken rule, and its message. */
function problemOf(claims: object, isIdJag = false, jkt?: string): string | undefined {
  const unverified = { issuer: good.iss, isIdJag };
  const expected = { clientId: "app", audience: issuer, now, jkt };
  const facts = { claims: { ...good, ...claims }, unverified, ...expected };
  const broken = Object.values(assertionClaimRules).find((rule) => !rule.holds(facts));
  return broken && `${broken.id}: ${brokenRule(broken, facts).message}`;
}

describe("The rules of assertions (RFC 7523, section 3)", () => {
  for (const resource of ["https://api.example", ["https://a.example", "https://b.example"]]) {
    it(`accept valid claims with the resource ${JSON.stringify(resource)}`, () => {
      assertEquals(problemOf({ resource, client_id: "app", scope: "read" }), undefined);
    });
  }

  const noStrings =
    "assertion.resource_form: its 'resource' is neither a string nor a list of strings";
  const noSingleAudience = `assertion.audience: its 'aud' is not the single string '${issuer}'`;
  const noKey = "assertion.key: the request does not prove the key in its 'cnf'";
  const bad: Array<[change: object, problem: string]> = [
    [{ iss: "https://other.example" }, "assertion.iss: its 'iss' is ambiguous"],
    [{ sub: undefined }, "assertion.sub: it has no 'sub'"],
    [{ sub: "" }, "assertion.sub: it has no 'sub'"],
    [{ aud: [issuer] }, noSingleAudience],
    [{ jti: 5 }, "assertion.jti: it has no 'jti'"],
    [{ jti: "" }, "assertion.jti: it has no 'jti'"],
    [{ client_id: "other" }, "assertion.client: its 'client_id' is not this client"],
    [
      { scope: ["read"] },
      "assertion.scope_form: its 'scope' is not a list of tokens separated by single spaces",
    ],
    [{ resource: 5 }, noStrings],
    [{ resource: [] }, noStrings],
    [{ resource: ["https://api.example", 5] }, noStrings],
    [{ exp: undefined }, "assertion.times: it has no 'exp'"],
    [{ exp: now + 3611 }, "assertion.times: its 'exp' is more than 3600 seconds in the future"],
    [{ cnf: { jkt: "k" } }, noKey],
    [{ cnf: {} }, noKey],
    [{ cnf: null }, noKey],
  ];
  for (const [change, problem] of bad) {
    it(`say "${problem}" for ${JSON.stringify(change)}`, () => {
      assertEquals(problemOf(change), problem);
    });
  }

  const idJag = { client_id: "app", iat: now };
  const ofIdJags: Array<[change: object, jkt: string | undefined, problem: string | undefined]> = [
    [{}, undefined, undefined],
    [{ aud: [issuer] }, undefined, undefined],
    [{ aud: [issuer, issuer] }, undefined, noSingleAudience],
    [{ aud: [] }, undefined, noSingleAudience],
    [{ aud: [[issuer]] }, undefined, noSingleAudience],
    [{ client_id: undefined }, undefined, "assertion.client: its 'client_id' is not this client"],
    [{ client_id: ["app"] }, undefined, "assertion.client: its 'client_id' is not this client"],
    [{ iat: undefined }, undefined, "assertion.times: it has no 'iat'"],
    [{ cnf: { jkt: "k" } }, "k", undefined],
    [{ cnf: { jkt: "k" } }, "other", noKey],
    [{ cnf: { jwk: {} } }, "k", noKey],
  ];
  for (const [change, jkt, problem] of ofIdJags) {
    it(`say ${problem ?? "nothing"} for an ID-JAG with ${JSON.stringify(change)}`, () => {
      assertEquals(problemOf({ ...idJag, ...change }, true, jkt), problem);
    });
  }
});

describe("peekBearerAssertion", () => {
  const jwt = (claims: object) => new UnsecuredJWT({ ...claims }).encode();

  it("reads the issuer", () => {
    const expected = { issuer: good.iss, isIdJag: false };
    assertEquals(peekBearerAssertion(jwt(good)), expected);
  });

  for (const text of ["", "x", "a.b.c", jwt({}), jwt({ ...good, iss: 5 })]) {
    it(`returns undefined for '${text.slice(0, 60)}'`, () => {
      assertEquals(peekBearerAssertion(text), undefined);
    });
  }
});

describe("What an assertion restricts", () => {
  it("is the scope, if it names one", () => {
    assertEquals(assertionScope({ scope: "write other" }, ["read", "write"]), ["write"]);
    assertEquals(assertionScope({}, ["read", "write"]), ["read", "write"]);
  });

  it("is the resource, if it names any", () => {
    assertEquals(assertionResources({}), undefined);
    assertEquals(assertionResources({ resource: "urn:a" }), ["urn:a"]);
    assertEquals(assertionResources({ resource: ["urn:a", "urn:b"] }), ["urn:a", "urn:b"]);
  });
});
