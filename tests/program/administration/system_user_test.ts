import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { systemUser } from "../../../src/program/administration/configured_store.ts";

describe("systemUser", () => {
  const account = systemUser({});

  it("names the person who uses sudo, beside the account", () => {
    assertEquals(systemUser({ SUDO_USER: "grace" }), `grace as ${account}`);
  });

  for (const person of ["", account]) {
    it(`names the account alone if SUDO_USER is '${person}'`, () => {
      assertEquals(systemUser({ SUDO_USER: person }), account);
    });
  }
});
