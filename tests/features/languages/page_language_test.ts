import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { h } from "preact";
import { fixturesOf } from "../../features.ts";
import { everyPage } from "../../support/every_page.ts";
import { type Fields, type Kit, openKit, openStrictKit } from "../../support/kit.ts";
import { everyLanguage } from "./every_language.ts";

/** What a lab shows in English: its home page, and pages that another browser opens. */
const englishPages = [
  "home",
  ...Object.entries(fixturesOf("pages")).flatMap(([name, page]) => page.isEnglish ? [name] : []),
];

/** Opens the sign-in page of a request, with a browser of a language. */
async function openSignIn(kit: Kit, changes: Fields, language: string) {
  const browser = Object.assign(kit.browser(), { language });
  return { browser, page: await browser.open(kit.authorizationUrl(changes)) };
}

function languageIn(html: string): string | undefined {
  return /^<!doctype html><html lang="(\w+)" dir="\w+">/.exec(html)?.[1];
}

describe("Every page", () => {
  for (const { tag, direction } of Object.values(everyLanguage)) {
    it(`O02 is in the language that the browser accepts: ${tag}`, async () => {
      for (const [name, { html }] of Object.entries(await everyPage(tag))) {
        if (englishPages.includes(name)) continue;
        assertStringIncludes(html, `<html lang="${tag}" dir="${direction}">`, name);
      }
    });
  }
});

describe("ui_locales (OpenID Connect Core, section 3.1.2.1)", () => {
  it("O02 comes before what the browser accepts, on every page of the sign-in", async () => {
    const { browser, page } = await openSignIn(openKit(), { ui_locales: "fr de-AT" }, "es");
    const failed = await browser.signIn(page, "alice", "x");
    const consent = await browser.signIn(failed);
    const other = await browser.submit(consent, "change-account", { account: "other" });
    assertEquals([page, failed, consent, other].map(({ html }) => languageIn(html)), [
      "de",
      "de",
      "de",
      "de",
    ]);
  });

  it("O02 is respected by error pages", async () => {
    const kit = openKit();
    const browser = kit.browser();
    const urls = [
      kit.authorizationUrl({ ui_locales: "ar", client_id: "unknown" }),
      `${kit.issuer}/oauth2/interaction/expired?ui_locales=ar`,
    ];
    for (const url of urls) assertEquals(languageIn((await browser.open(url)).html), "ar", url);
  });

  it("O02 reaches the pages from a pushed request and from a POST as well", async () => {
    const kit = openKit();
    const query = Object.fromEntries(
      new URL(kit.authorizationUrl({ ui_locales: "es" })).searchParams,
    );
    const posted = await kit.post("/oauth2/authorize", query);
    const { html } = await kit.browser().open(kit.issuer + posted.headers.get("Location"));
    assertEquals(languageIn(html), "es");
  });

  it("O02 is ignored if no language matches", async () => {
    const { page } = await openSignIn(openKit(), { ui_locales: "se" }, "de");
    assertEquals(languageIn(page.html), "de");
  });
});

describe("The setting 'languages'", () => {
  it("limits the languages of the pages, and names the default", async () => {
    const kit = openKit({ languages: ["de", "es"] });
    const tags = ["en", "ar", "es"].map(async (language) =>
      languageIn((await openSignIn(kit, {}, language)).page.html)
    );
    assertEquals(await Promise.all(tags), ["de", "de", "es"]);
  });

  it("is advertised", async () => {
    const kit = openStrictKit({ languages: ["de", "es"] });
    const metadata = await (await kit.get("/.well-known/openid-configuration")).json();
    assertEquals(metadata.ui_locales_supported, ["de", "es"]);
  });
});

describe("The texts of a configuration", () => {
  const scopes = {
    openid: "Know who you are",
    profile: "See your profile",
    email: "Send you newsletters",
    groups: { text: { en: "See your groups", de: "Ihre Gruppen sehen" } },
  };

  it("can differ by language; those of standard scopes are translated unless they were changed", async () => {
    const kit = openKit({ scopes });
    const request = { scope: "openid email groups", claims: '{"userinfo":{"birthdate":null}}' };
    const { browser, page } = await openSignIn(kit, request, "de");
    const consent = await browser.signIn(page);
    const texts = ["Erfahren, wer Sie sind", "Send you newsletters", "Ihre Gruppen sehen"];
    for (const text of [...texts, "Geburtsdatum"]) assertStringIncludes(consent.html, text);
  });
});

describe("A page of the operator's own", () => {
  it("gets the language and its texts", async () => {
    const kit = openKit({
      pages: {
        signIn: ({ language: { tag, direction, words } }) =>
          h("p", { lang: tag, dir: direction }, words.signIn.username),
      },
    });
    const { page } = await openSignIn(kit, {}, "de");
    assertMatch(page.html, /<p lang="de" dir="ltr">Benutzername<\/p>/);
  });
});

describe("An error page in another language", () => {
  it("keeps the description in English, and marks it so", async () => {
    const kit = openKit();
    const browser = Object.assign(kit.browser(), { language: "ar" });
    const { html } = await browser.open(`${kit.issuer}/oauth2/interaction/unknown`);
    assertStringIncludes(html, everyLanguage.ar.words.error.kinds.expired.advice);
    assertMatch(
      html,
      /<section class="developer" lang="en" dir="ltr"[^>]*><p id="error-description">This/,
    );
  });
});
