import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { errorResponse, htmlResponse, publicResponse } from "../../src/server/http/response.ts";
import { type ResponseData, toResponse } from "../../src/server/http/response_data.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";

function headerOf({ headers }: ResponseData, name: string): string | null {
  return headers.find(([each]) => each === name)?.[1] ?? null;
}

function policyOf(frames: readonly string[]): string {
  const page = htmlResponse("<!doctype html>", 200, [], { frames });
  return headerOf(page, "Content-Security-Policy")!;
}

describe("A page", () => {
  it("shares no window with a page of another origin, unless it was opened as a popup", () => {
    const policy = (options?: { keepsOpener: boolean }) =>
      headerOf(htmlResponse("<!doctype html>", 200, [], options), "Cross-Origin-Opener-Policy");
    assertEquals([policy(), policy({ keepsOpener: true })], ["same-origin", null]);
  });
});

describe("A response", () => {
  it("of a page names no page to others, unless its forms need an Origin", () => {
    const policy = (options?: { sendsReferrer: boolean }) =>
      headerOf(htmlResponse("", 200, [], options), "Referrer-Policy");
    assertEquals([policy(), policy({ sendsReferrer: true })], ["no-referrer", "same-origin"]);
  });

  it("that is the same for everyone may be cached, forever where it never changes", () => {
    const control = (change?: "immutable") =>
      headerOf(publicResponse("", "text/css", 60, change), "Cache-Control");
    assertEquals(control(), "public, max-age=60");
    assertEquals(control("immutable"), "public, max-age=60, immutable");
  });

  it("to an error is JSON, or a challenge alone, and has a hint only where that is wanted", async () => {
    const error = new OAuthError("invalid_request", "No.", { expected: "a word" });
    const described = async (showsHint = false) =>
      (await toResponse(errorResponse(error, "https://id.example", { showsHint })).json())
        .error_description;
    assertEquals([await described(), await described(true)], ["No.", "No. Expected: a word."]);
    const bare = new OAuthError("invalid_token", "No.", { hasBody: false });
    assertEquals(errorResponse(bare, "https://id.example").body, null);
  });
});

describe("The policy of a page (Content Security Policy)", () => {
  it("allows our own files, and neither frames nor scripts where there are none", () => {
    const own = "style-src 'self'; script-src 'none'; img-src 'self'";
    const policy = `default-src 'none'; ${own}; base-uri 'none'; frame-ancestors 'none'`;
    assertEquals(policyOf([]), policy);
    const live = htmlResponse('<script src="a.js">', 200, [], { isLive: true });
    assertEquals(
      headerOf(live, "Content-Security-Policy"),
      `${policy.replace("script-src 'none'", "script-src 'self'")}; connect-src 'self'`,
    );
  });

  it("allows the origins of its frames, each once", () => {
    const frames = ["https://one.example/a", "https://one.example/b", "https://two.example:8443/c"];
    assertMatch(
      policyOf(frames),
      /; frame-src https:\/\/one\.example https:\/\/two\.example:8443$/,
    );
  });

  for (
    const frame of [
      "https://a;sandbox/cb",
      "https://a,b/cb",
      "https://a'b/cb",
      "javascript:alert(1)",
      "com.example.app:/cb",
      "x",
    ]
  ) {
    it(`M5: omits the frame ${frame}`, () => {
      assertEquals(policyOf([frame]), policyOf([]));
      assertMatch(
        policyOf([frame, "https://one.example/a"]),
        /; frame-src https:\/\/one\.example$/,
      );
    });
  }

  it("M5: gains no directive from a frame", () => {
    assertNotMatch(
      policyOf(["https://a;sandbox/cb", "https://b;report-uri/cb"]),
      /sandbox|report-uri/,
    );
  });
});
