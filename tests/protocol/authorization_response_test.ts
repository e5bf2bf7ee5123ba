import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { responseLocation } from "../../src/protocol/authorization_response.ts";

function location(
  redirectUri: string,
  state?: string,
  mode: "query" | "fragment" = "query",
): string {
  return responseLocation({ redirectUri, mode }, { code: "c", state });
}

describe("responseLocation", () => {
  it("A16 keeps the query that the redirect URI has of its own", () => {
    assertEquals(
      location("https://app.example/cb?a=%7e&b"),
      "https://app.example/cb?a=%7e&b&code=c",
    );
  });

  it("changes no byte of the redirect URI", () => {
    assertEquals(location("https://APP.example:443/%7ecb"), "https://APP.example:443/%7ecb?code=c");
  });

  it("takes an empty query for what it is", () => {
    assertEquals(location("https://app.example/cb?"), "https://app.example/cb?code=c");
  });

  it("answers in the fragment where that was asked for", () => {
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
    it(`A26 A27 gives back the state ${JSON.stringify(state.slice(0, 20))} as it was`, () => {
      assertEquals(
        new URL(location("https://app.example/cb", state)).searchParams.get("state"),
        state,
      );
    });
  }
});
