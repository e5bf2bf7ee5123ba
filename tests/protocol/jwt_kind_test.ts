import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { jwtKindOf } from "../../src/server/protocol/jwt.ts";

const access = {
  sub: "a",
  aud: "https://api.example",
  jti: "1.2",
  exp: 1,
  client_id: "app",
  scope: "",
};
const id = { sub: "a", aud: "app", jti: "1.2", exp: 1, nonce: "n" };
const logout = { ...id, events: {} };

const table: Array<
  [typ: string | undefined, what: string, claims: object, kind: string | undefined]
> = [
  ["at+jwt", "an access token", access, "access token"],
  ["application/AT+JWT", "an access token", access, "access token"],
  ["JWT", "an access token", access, "access token"],
  ["JWT", "an access token for a client's id", { ...access, aud: "app" }, "access token"],
  [undefined, "an access token", access, undefined],
  ["logout+jwt", "an access token", access, undefined],
  ["at+jwt", "an access token without client_id", { ...access, client_id: undefined }, undefined],
  ["at+jwt", "an access token for two APIs", { ...access, aud: ["a", "b"] }, "access token"],
  ["at+jwt", "an access token for the audience 5", { ...access, aud: 5 }, undefined],
  ["at+jwt", "an access token for the audience [5]", { ...access, aud: [5] }, undefined],
  ["at+jwt", "an access token that never expires", { ...access, exp: undefined }, undefined],
  ["JWT", "an ID token", id, "id token"],
  ["at+jwt", "an ID token", id, undefined],
  [undefined, "signed userinfo", { sub: "a", aud: "app" }, undefined],
  ["JWT", "an ID token for several", { ...id, aud: ["app", "b"] }, undefined],
  ["JWT", "an ID token with a client_id", { ...id, client_id: "app" }, undefined],
  ["JWT", "an ID token with a scope", { ...id, scope: "read" }, undefined],
  ["JWT", "a logout token", logout, undefined],
  ["logout+jwt", "a logout token", logout, undefined],
  ["JWT", "a signed authorization response", { aud: "app", exp: 1, code: "c" }, undefined],
  ["JWT", "a signed introspection response", { ...id, token_introspection: {} }, undefined],
];

describe("jwtKindOf", () => {
  for (const [typ, what, claims, kind] of table) {
    it(`takes ${what} of the type ${typ} as ${kind ?? "neither access nor ID token"}`, () => {
      assertEquals(jwtKindOf(typ, { ...claims }), kind);
    });
  }
});
