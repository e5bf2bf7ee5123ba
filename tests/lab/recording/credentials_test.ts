import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { readJwt } from "../../../src/lab/recording/credentials.ts";

const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("=", "");

describe("readJwt", () => {
  it("returns the header and the claims", () => {
    const jwt = `${part({ alg: "none" })}.${part({ sub: "a" })}.`;
    assertEquals(readJwt(jwt), { header: { alg: "none" }, claims: { sub: "a" } });
  });

  for (const value of [null, 1, "a", true, ["a"]]) {
    it(`returns undefined where a part is ${JSON.stringify(value)} (RFC 7519, section 7.2)`, () => {
      assertEquals(readJwt(`${part({ alg: "none" })}.${part(value)}.`), undefined);
      assertEquals(readJwt(`${part(value)}.${part({})}.`), undefined);
    });
  }
});
