import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { nearestName } from "../../src/server/util/text/nearest_name.ts";

const names = ["redirectUris", "frontChannelUrl", "backChannelUrl", "id", "jwks", "users"];

describe("nearestName", () => {
  const cases: Array<[name: string, nearest: string | undefined]> = [
    ["redirectUri", "redirectUris"],
    ["redirect_uris", "redirectUris"],
    ["redirecturis", "redirectUris"],
    ["frontChannel", "frontChannelUrl"],
    ["backChannel", "backChannelUrl"],
    ["user", "users"],
    ["ID", "id"],
    ["jkws", "jwks"],
    ["colour", undefined],
    ["", undefined],
  ];
  for (const [name, nearest] of cases) {
    it(`finds ${nearest ?? "none"} for '${name}'`, () => {
      assertEquals(nearestName(name, names), nearest);
    });
  }

  it("finds none among no names", () => {
    assertEquals(nearestName("id", []), undefined);
  });
});
