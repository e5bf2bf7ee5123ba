import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { isJwtType } from "../../src/server/protocol/jwt.ts";

describe("isJwtType (RFC 7515, section 4.1.9)", () => {
  const same = [
    "oauth-authz-req+jwt",
    "OAuth-Authz-Req+JWT",
    "application/oauth-authz-req+jwt",
    "APPLICATION/oauth-authz-req+jwt",
  ];
  for (const typ of same) {
    it(`accepts '${typ}' as a spelling of the type`, () => {
      assertEquals(isJwtType(typ, ["oauth-authz-req+jwt"]), true);
      assertEquals(isJwtType("oauth-authz-req+jwt", [typ]), true);
    });
  }

  const others: unknown[] = [
    "at+jwt",
    "text/oauth-authz-req+jwt",
    "application/application/oauth-authz-req+jwt",
    "/",
    "",
    5,
    null,
    ["JWT"],
  ];
  for (const typ of [...others, undefined]) {
    it(`refuses ${JSON.stringify(typ)}`, () => {
      assertEquals(isJwtType(typ, ["oauth-authz-req+jwt", "JWT"]), false);
    });
  }

  it("accepts a missing type if allowed, and nothing in its place", () => {
    const types = [undefined, null, "", "application/"];
    assertEquals(types.filter((typ) => isJwtType(typ, [undefined])), [undefined]);
  });
});
