import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { errorBody, OAuthError } from "../../src/server/protocol/oauth_error.ts";

describe("errorBody (RFC 6749, section 5.2)", () => {
  it("A40 T14 replaces characters that a description cannot contain", () => {
    const { error_description } = errorBody(
      new OAuthError("invalid_request", 'a "quoted" \\ back é\n🎫 text'),
    );
    assertMatch(error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  it("has a hint that quotes URLs, so that none runs into the next word", () => {
    const hintFor = (received: string) => new OAuthError("invalid_grant", "No.", { received }).hint;
    assertEquals(hintFor("https://a.example/?b=1,2"), "Received: 'https://a.example/?b=1,2'.");
    assertEquals(hintFor("com.a.app://b, http://c"), "Received: 'com.a.app://b', 'http://c'.");
    assertEquals(hintFor("for 'https://a.example'"), "Received: for 'https://a.example'.");
    assertEquals(hintFor("none"), "Received: none.");
  });

  it("shows a hint only in a lab", () => {
    const error = new OAuthError("invalid_grant", "No.", {
      received: "x",
      expected: "https://y.example",
    });
    assertEquals(errorBody(error).error_description, "No.");
    assertEquals(
      errorBody(error, { showsHint: true }).error_description,
      "No. Received: x. Expected: 'https://y.example'.",
    );
  });

  it("names the section", () => {
    const error = new OAuthError("invalid_grant", "No.", { see: "OAuth 2.1, section 4.1.3" });
    assertEquals(errorBody(error), {
      error: "invalid_grant",
      error_description: "No. See OAuth 2.1, section 4.1.3.",
    });
  });
});
