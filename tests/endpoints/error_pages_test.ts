import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { errorKind, retryAfter } from "../../src/server/endpoints/responses/error_responses.ts";
import { en, type ErrorKind } from "../../src/server/pages/languages/en.ts";
import {
  type ErrorCode,
  type ErrorDetails,
  OAuthError,
} from "../../src/server/protocol/oauth_error.ts";
import { openKit } from "../support/kit.ts";

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
    ["/oauth2/authorize?client_id=unknown", 400, "badRequest"],
    ["/oauth2/interaction/unknown", 400, "expired"],
    ["/sign-out", 405, "wrongMethod"],
  ];
  for (const [path, status, kind] of expected) {
    it(`has a title of its own: ${path} is ${kind}`, async () => {
      const kit = openKit();
      const page = await kit.browser().open(kit.issuer + path);
      assertEquals(page.status, status);
      const { title } = en.error.kinds[kind];
      assertStringIncludes(page.html, `<title>${title} · Hallpass</title>`);
      assertStringIncludes(page.html, `<h1>${title}</h1>`);
    });
  }

  it("of an unknown address says nothing about an application", async () => {
    const kit = openKit();
    const headers = { Accept: "text/html", "Accept-Language": "en" };
    const html = await (await kit.get("/nothing", headers)).text();
    assertStringIncludes(html, en.error.kinds.notFound.title);
    assertEquals(html.includes(en.error.application.knowsNothing), false);
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
});
