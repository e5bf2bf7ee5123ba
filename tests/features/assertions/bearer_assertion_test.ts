import { assertEquals } from "@std/assert";
import { UnsecuredJWT } from "jose";
import { describe, it } from "node:test";
import {
  assertionResources,
  assertionScope,
  peekBearerAssertion,
} from "../../../src/server/features/assertions/bearer_assertion.ts";

const good = { iss: "https://idp.example", sub: "zoe" };

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
