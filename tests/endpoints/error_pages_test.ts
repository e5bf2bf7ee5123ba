import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { errorKind, retryAfter } from "../../src/server/endpoints/responses/error_responses.ts";
import type { ErrorKind } from "../../src/server/pages/languages/words.ts";
import {
  type ErrorCode,
  type ErrorDetails,
  OAuthError,
} from "../../src/server/protocol/oauth_error.ts";
import { type Kit, openKit } from "../support/kit.ts";
import { languages } from "../support/languages.ts";

const { en, de, ar } = languages;

/** Opens a page as a browser of a language does. */
async function openPage(kit: Kit, path: string, language = "en") {
  const browser = Object.assign(kit.browser(), { language });
  return await browser.open(kit.issuer + path);
}

describe("errorKind", () => {
  const cases: Array<[kind: ErrorKind, code: ErrorCode, details?: ErrorDetails]> = [
    ["badRequest", "invalid_request"],
    ["badRequest", "invalid_scope"],
    ["badRequest", "invalid_request", { status: 413 }],
    ["denied", "access_denied"],
    ["expired", "invalid_request", { isExpired: true }],
    ["expired", "invalid_request", { status: 403, isExpired: true }],
    ["notFound", "not_found"],
    ["wrongMethod", "invalid_request", { status: 405 }],
    ["tooMany", "slow_down", { status: 429 }],
    ["unavailable", "temporarily_unavailable"],
    ["serverError", "server_error"],
  ];
  for (const [kind, code, details = {}] of cases) {
    it(`is ${kind} for ${code} ${JSON.stringify(details)}`, () => {
      assertEquals(errorKind(new OAuthError(code, "A message.", details)), kind);
    });
  }
});

describe("retryAfter (RFC 9110, section 10.2.3)", () => {
  it("reads the header of an error, in seconds", () => {
    const headers = { "Retry-After": "60" };
    assertEquals(retryAfter(new OAuthError("slow_down", "Wait.", { headers })), 60);
    assertEquals(retryAfter(new OAuthError("slow_down", "Wait.")), undefined);
  });
});

describe("An error page", () => {
  const expected: Array<[path: string, status: number, kind: ErrorKind]> = [
    ["/oauth2/logout?client_id=unknown", 400, "badRequest"],
    ["/oauth2/interaction/unknown", 400, "expired"],
    ["/account/sign-in", 405, "wrongMethod"],
  ];
  for (const [path, status, kind] of expected) {
    it(`has a title of its own: ${path} is ${kind}`, async () => {
      const page = await openPage(openKit(), path, "de");
      assertEquals(page.status, status);
      const { title } = de.words.error.kinds[kind];
      assertStringIncludes(page.html, `<title>${title} · Hallpass</title>`);
      assertStringIncludes(page.html, `<h1>${title}</h1>`);
    });
  }

  it("of an unknown address says nothing about an application", async () => {
    const kit = openKit();
    const headers = { Accept: "text/html", "Accept-Language": "en" };
    const html = await (await kit.get("/nothing", headers)).text();
    assertStringIncludes(html, en.words.error.kinds.notFound.title);
    assertEquals(html.includes(en.words.error.application.knowsNothing), false);
  });

  it("of too many attempts says when to try again", async () => {
    const kit = openKit({ guessesPerMinute: 1 });
    const browser = Object.assign(kit.browser(), { language: "en" });
    const page = await browser.open(kit.authorizationUrl());
    const wrong = { username: "alice", password: "wrong" };
    for (let attempt = 0; attempt < 30; attempt++) await browser.submit(page, "sign-in", wrong);
    const refused = await browser.submit(page, "sign-in", wrong);
    assertEquals(refused.status, 429);
    assertMatch(
      refused.html,
      /<h1>Too many attempts<\/h1>.*try again <strong>in 60 seconds<\/strong>/s,
    );
  });

  it("keeps the description in English, and marks it so", async () => {
    const { html } = await openPage(openKit(), "/oauth2/interaction/unknown", "ar");
    assertStringIncludes(html, ar.words.error.kinds.expired.advice);
    assertMatch(
      html,
      /<section class="developer" lang="en" dir="ltr"[^>]*><p id="error-description">This/,
    );
  });
});
