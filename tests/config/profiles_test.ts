import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createFullServer } from "../../src/server/features.ts";

const issuer = "https://id.example";

describe("The profile oauth-2.1", () => {
  it("is the default, and changes nothing", () => {
    const named = createFullServer({ issuer, profile: "oauth-2.1" }).context;
    const unnamed = createFullServer({ issuer }).context;
    assertEquals(named.metadata(), unnamed.metadata());
    assertEquals(unnamed.settings.profile.name, "oauth-2.1");
  });
});
