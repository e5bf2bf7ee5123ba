import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  checkScope,
  checkSignIn,
  createScopeHierarchy,
  signInMembers,
  toVerifiedAccess,
} from "../../src/resource/verified_access.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";

const now = 1_000_000;
const hierarchy = createScopeHierarchy();

describe("toVerifiedAccess", () => {
  it("reads the claims of a token", () => {
    const claims = { sub: "zoe", client_id: "app", scope: "read  write" };
    const { subject, clientId, scope } = toVerifiedAccess(claims, "token");
    assertEquals([subject, clientId, scope], ["zoe", "app", ["read", "write"]]);
  });

  it("reads nothing from claims of another type", () => {
    const { clientId, scope } = toVerifiedAccess({ client_id: 5, scope: ["read"] }, "token");
    assertEquals([clientId, scope], [undefined, []]);
  });
});

describe("checkScope", () => {
  it("names every scope that is missing", () => {
    const access = toVerifiedAccess({ scope: "read" }, "token");
    checkScope(access, {}, hierarchy);
    checkScope(access, { scope: ["read"] }, hierarchy);
    const scope = ["read", "write", "admin"];
    assertThrows(() => checkScope(access, { scope }, hierarchy), OAuthError, "'write admin'");
  });
});

describe("checkSignIn (RFC 9470, section 3)", () => {
  const check = (claims: object, requirements: { maxAge?: number; acrValues?: string[] }) =>
    checkSignIn(toVerifiedAccess({ ...claims }, "token"), requirements, now * 1000);

  it("allows a sign-in of the maximum age, and none that is older", () => {
    check({ auth_time: now - 60 }, { maxAge: 60 });
    check({}, {});
    for (const claims of [{ auth_time: now - 61 }, { auth_time: `${now}` }, {}]) {
      assertThrows(() => check(claims, { maxAge: 60 }), OAuthError, "within the last 60 seconds");
    }
  });

  it("allows each of the acr values, and no other", () => {
    check({ acr: "two" }, { acrValues: ["one", "two"] });
    for (const claims of [{ acr: "three" }, {}]) {
      assertThrows(() => check(claims, { acrValues: ["one", "two"] }), OAuthError, "one, two");
    }
  });

  it("is described by the parameters of the challenge", () => {
    assertEquals(signInMembers({}), {});
    assertEquals(signInMembers({ maxAge: 0, acrValues: ["one", "two"] }), {
      max_age: "0",
      acr_values: "one two",
    });
  });
});
