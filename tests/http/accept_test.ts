import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { acceptedLanguages, prefers, wantsPage } from "../../src/server/http/accept.ts";

describe("A request prefers a page to JSON (RFC 9110, section 12.5.1)", () => {
  const cases: Array<[accept: string, isPage: boolean]> = [
    ["text/html", true],
    ["TEXT/HTML", true],
    ["text/html,application/xhtml+xml,*/*;q=0.8", true],
    ["application/json, text/html", true],
    ["text/html;q=0.3, application/json; q=0.3", true],
    ["text/html; level=1; q=0.4, application/json;q=0.3", true],
    ["text/html;q=0.2, application/json;q=0.3", false],
    ["text/html;q=0.9, application/json", false],
    ["text/html;q=0", false],
    ["text/html;q=x", false],
    ["text/htmlx", false],
    ["*/*", false],
    ["", false],
  ];
  for (const [accept, isPage] of cases) {
    it(`with 'Accept: ${accept}': ${isPage}`, () =>
      assertEquals(wantsPage(new Headers({ Accept: accept })), isPage));
  }

  it("not without the header", () => assertEquals(wantsPage(new Headers()), false));

  it("as it prefers any other type", () => {
    const headers = new Headers({ Accept: "application/jwt" });
    assertEquals(prefers(headers, "application/jwt", "application/json"), true);
    assertEquals(prefers(headers, "application/json", "application/jwt"), false);
  });
});

describe("The languages that a request accepts (RFC 9110, section 12.5.4)", () => {
  const cases: Array<[header: string, languages: string[]]> = [
    ["de", ["de"]],
    ["de;q=0.5, fr, it;q=0, en;q=0.7", ["fr", "en", "de"]],
    ["de-AT, de", ["de-AT", "de"]],
    ["de;q=none, fr", ["fr"]],
  ];
  for (const [header, languages] of cases) {
    it(`are ${languages} with '${header}'`, () =>
      assertEquals(acceptedLanguages(new Headers({ "Accept-Language": header })), languages));
  }
});
