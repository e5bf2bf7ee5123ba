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

  const noStrings = "assertion.resource_form: The 'resource' of the assertion must be a URI or a " +
    "list of URIs, if it has one.";
  const noSingleAudience =
    "assertion.audience: The 'aud' of the assertion must be the issuer of this server alone.";
  const noKey = "assertion.key: The request must prove the key in the 'cnf' of the assertion, if " +
    "it has one.";
  const noSubject = "assertion.sub: The assertion must have a 'sub', the identifier of the user.";
  const noId = "assertion.jti: The assertion must have a 'jti', so that it can be used only once.";
  const anotherClient = "assertion.client: The 'client_id' of the assertion must be this client, " +
    "and an ID-JAG must have one.";
  const bad: Array<[change: object, problem: string]> = [
    [{ iss: "https://other.example" }, "assertion.iss: The assertion must name its issuer once."],
    [{ sub: undefined }, noSubject],
    [{ sub: "" }, noSubject],
    [{ aud: [issuer] }, noSingleAudience],
    [{ jti: 5 }, noId],
    [{ jti: "" }, noId],
    [{ client_id: "other" }, anotherClient],
    [
      { scope: ["read"] },
      "assertion.scope_form: The 'scope' of the assertion must be tokens separated by single " +
      "spaces, if it has one.",
    ],
    [{ resource: 5 }, noStrings],
    [{ resource: [] }, noStrings],
    [{ resource: ["https://api.example", 5] }, noStrings],
    [{ exp: undefined }, "assertion.times: The assertion is invalid: it has no 'exp'."],
    [
      { exp: now + 3611 },
      "assertion.times: The assertion is invalid: its 'exp' is more than 3600 seconds in the future.",
    ],
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
    [{ client_id: undefined }, undefined, anotherClient],
    [{ client_id: ["app"] }, undefined, anotherClient],
    [{ iat: undefined }, undefined, "assertion.times: The assertion is invalid: it has no 'iat'."],
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
