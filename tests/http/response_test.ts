import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { htmlResponse } from "../../src/http/response.ts";

function policyOf(frames: readonly string[]): string {
  return htmlResponse("<!doctype html>", 200, [], { frames }).headers.get(
    "Content-Security-Policy",
  )!;
}

describe("A page", () => {
  it("shares no window with a page of another origin, unless it was opened as a popup", () => {
    const policy = (options?: { keepsOpener: boolean }) =>
      htmlResponse("<!doctype html>", 200, [], options).headers.get("Cross-Origin-Opener-Policy");
    assertEquals([policy(), policy({ keepsOpener: true })], ["same-origin", null]);
  });
});

describe("The policy of a page (Content Security Policy)", () => {
  it("allows our own files, and neither frames nor scripts where there are none", () => {
    const own = "style-src 'self'; script-src 'none'; img-src 'self'";
    const policy = `default-src 'none'; ${own}; base-uri 'none'; frame-ancestors 'none'`;
    assertEquals(policyOf([]), policy);
    const live = htmlResponse('<script src="a.js">', 200, [], { isLive: true });
    assertEquals(
      live.headers.get("Content-Security-Policy"),
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
