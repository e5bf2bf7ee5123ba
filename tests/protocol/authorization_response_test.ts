import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { responseLocation } from "../../src/server/protocol/authorization_response.ts";

function location(
  redirectUri: string,
  state?: string,
  mode: "query" | "fragment" = "query",
): string {
  return responseLocation({ redirectUri, mode }, { code: "c", state });
}

describe("responseLocation (OAuth 2.1, section 2.3)", () => {
  it("A16 keeps the query of the redirect URI", () => {
    assertEquals(
      location("https://app.example/cb?a=%7e&b"),
      "https://app.example/cb?a=%7e&b&code=c",
    );
  });

  it("changes no byte of the redirect URI", () => {
    assertEquals(location("https://APP.example:443/%7ecb"), "https://APP.example:443/%7ecb?code=c");
  });

  it("keeps its parameters apart from a query that ends with a question mark", () => {
    assertEquals(
      location("https://app.example/cb?q=what?"),
      "https://app.example/cb?q=what?&code=c",
    );
  });

  it("appends to an empty query", () => {
    assertEquals(location("https://app.example/cb?"), "https://app.example/cb?code=c");
  });

  it("uses the fragment if requested", () => {
    assertEquals(
      location("https://app.example/cb?a=1", "s", "fragment"),
      "https://app.example/cb?a=1#code=c&state=s",
    );
  });

  for (
    const state of [
      "a b",
      "a+b",
      "100%",
      "%2B",
      "é",
      "&code=evil",
      "#x",
      "🎫",
      "a".repeat(2048),
      "\u0001",
    ]
  ) {
    it(`A26 A27 returns the state ${JSON.stringify(state.slice(0, 20))} unchanged`, () => {
      assertEquals(
        new URL(location("https://app.example/cb", state)).searchParams.get("state"),
        state,
      );
    });
  }
});
