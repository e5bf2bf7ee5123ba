import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { isCodeVerifier } from "../../src/server/protocol/pkce.ts";

describe("isCodeVerifier (RFC 7636, section 4.1)", () => {
  it("T22 accepts 43 to 128 unreserved characters", () => {
    assertEquals(["a".repeat(43), "-._~".repeat(32)].map(isCodeVerifier), [true, true]);
  });

  it("T22 accepts no other characters", () => {
    assertEquals(["+", "/", "=", " ", "é"].map((one) => isCodeVerifier("a".repeat(43) + one)), [
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
