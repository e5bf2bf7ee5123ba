import { assertEquals } from "@std/assert";
import { UnsecuredJWT } from "jose";
import { describe, it } from "node:test";
import {
  assertionResources,
  assertionScope,
  bearerAssertionProblem,
  peekBearerAssertion,
} from "../../src/server/protocol/bearer_assertion.ts";

const issuer = "https://id.example";
const now = 1_000_000;
const good = { iss: "https://idp.example", sub: "zoe", aud: issuer, jti: "1", exp: now + 60 };

function problemOf(claims: object, isForSingleClient = false): string | undefined {
  const unverified = { issuer: good.iss, isForSingleClient };
  const expected = { unverified, clientId: "app", issuer, now };
  return bearerAssertionProblem({ ...good, ...claims }, expected);
}

describe("bearerAssertionProblem (RFC 7523, section 3)", () => {
  for (const resource of ["https://api.example", ["https://a.example", "https://b.example"]]) {
    it(`accepts valid claims with the resource ${JSON.stringify(resource)}`, () => {
      assertEquals(problemOf({ resource, client_id: "app", scope: "read" }), undefined);
    });
  }

  const noStrings = "its 'resource' is neither a string nor a list of strings";
  const bad: Array<[change: object, problem: string]> = [
    [{ iss: "https://other.example" }, "its 'iss' is ambiguous"],
    [{ sub: undefined }, "it has no 'sub'"],
    [{ sub: "" }, "it has no 'sub'"],
    [{ aud: [issuer] }, `its 'aud' is not the single string '${issuer}'`],
    [{ jti: 5 }, "it has no 'jti'"],
    [{ jti: "" }, "it has no 'jti'"],
    [{ client_id: "other" }, "its 'client_id' is not this client"],
    [{ scope: ["read"] }, "its 'scope' is not a list of tokens separated by single spaces"],
    [{ resource: 5 }, noStrings],
    [{ resource: [] }, noStrings],
    [{ resource: ["https://api.example", 5] }, noStrings],
    [{ exp: undefined }, "it has no 'exp'"],
    [{ exp: now + 3611 }, "its 'exp' is more than 3600 seconds in the future"],
  ];
  for (const [change, problem] of bad) {
    it(`returns "${problem}" for ${JSON.stringify(change)}`, () => {
      assertEquals(problemOf(change), problem);
    });
  }

  it("requires a client_id of an assertion for one client", () => {
    assertEquals(problemOf({}), undefined);
    assertEquals(problemOf({}, true), "its 'client_id' is not this client");
    assertEquals(problemOf({ client_id: "app" }, true), undefined);
  });
});

describe("peekBearerAssertion", () => {
  const jwt = (claims: object) => new UnsecuredJWT({ ...claims }).encode();

  it("reads the issuer", () => {
    const expected = { issuer: good.iss, isForSingleClient: false };
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
