import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { weakSecretAdvice } from "../../src/cli/weak_secrets.ts";

describe("The advice of hallpass check", () => {
  it("names short secrets and passwords, and prints none of them", () => {
    const advice = weakSecretAdvice({
      clients: [
        { id: "short", secret: "x".repeat(21) },
        { id: "long", secret: "x".repeat(22) },
        { id: "public", redirectUris: [] },
      ],
      users: [
        { name: "alice", password: "alice-1" },
        { name: "bob", password: "bob-1234" },
        { name: "carol" },
      ],
    });
    assertEquals(advice, [
      "The secret of the client 'short' has fewer than 128 bits. Take one that cannot be guessed: " +
      "openssl rand -base64 32",
      "The password of the user 'alice' is shorter than 8 characters.",
    ]);
  });
});
