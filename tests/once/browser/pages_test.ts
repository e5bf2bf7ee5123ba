import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { publicPasswords } from "../../../src/lab/sign_in/one_click.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { chromium, type Tab } from "../../support/chromium.ts";
import { inBrowser, serverInBrowser } from "../../support/in_browser.ts";
import { type ShownPage, startOver, waitUntilArmed } from "../../support/page_quality.ts";
import { casesOfToday } from "../../support/turn.ts";
import { labPages } from "./lab_pages.ts";
import { type CheckedLook, everyLook, problemsOf, translatedLooks } from "./page_problems.ts";
import { serverPages, strangeLab } from "./server_pages.ts";

const skip = chromium ? false : "this machine has no Chromium";

type LanguageLooks = [language: string, looks: readonly CheckedLook[]];

/** Languages that differ from English in their direction, or in the length of their words. */
const translations: readonly LanguageLooks[] = [["de", translatedLooks], ["ar", translatedLooks]];
const languages: readonly LanguageLooks[] = [["en", everyLook], ...casesOfToday(translations)];

/** A server in a browser. */
interface Place {
  tab: Tab;
  issuer: string;
}

/** Opens pages, each as a browser without cookies, and returns what is wrong with them. */
async function problemsOn(
  pages: readonly ShownPage[],
  { tab, issuer }: Place,
  language: string,
  looks = everyLook,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, open, leave } of pages) {
    await startOver(tab, language);
    await open(tab, issuer);
    await waitUntilArmed(tab);
    problems.push(...(await problemsOf(tab, looks)).map((problem) => `${name}, ${problem}`));
    await leave?.();
  }
  return problems;
}

/** A brand with everything in it. */
const brand = {
  name: "Example مثال " + "n".repeat(100),
  logo:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 64"><path d="M0 0h400v64H0z"/></svg>',
  accent: "#7c3aed",
  support: "mailto:help@example.org",
  privacy: "https://example.org/privacy",
  terms: "https://example.org/terms",
};

/** A store with a user who can change the password. */
const store = memoryStore();
const dora = {
  name: "dora",
  subject: "dora",
  claims: {},
  passwordHash: await publicPasswords.hash("dora"),
  passwordChangedAt: 0,
  disabled: false,
};
await store.put("user", "dora", { value: dora, expiresAt: 8.64e15 });

async function openPasswordForm(tab: Tab, issuer: string): Promise<void> {
  await tab.goto(`${issuer}/account`);
  await tab.type("#username", "dora");
  await tab.type("#password", "dora");
  await tab.click("#sign-in-button");
  await tab.click("#change-password");
}

/** A client whose redirect URI is the page of the server, on whichever port it listens. */
const trial = {
  id: "trial",
  secret: "s".repeat(40),
  native: true,
  redirectUris: ["http://localhost/authorized"],
};

/** Pages of `hallpass serve` that a lab replaces. */
const pagesOfServe: readonly ShownPage[] = [
  { name: "home", open: (tab, issuer) => tab.goto(`${issuer}/`) },
  {
    name: "home, signed in",
    async open(tab, issuer) {
      await tab.goto(`${issuer}/account`);
      await tab.type("#username", "alice");
      await tab.type("#password", "alice");
      await tab.click("#sign-in-button");
      await tab.goto(`${issuer}/`);
    },
  },
  {
    name: "authorized, started there",
    async open(tab, issuer) {
      await tab.goto(`${issuer}/authorized?error=access_denied`);
      await tab.click("#start-again");
      await tab.type("#username", "alice");
      await tab.type("#password", "alice");
      await tab.click("#sign-in-button");
      await waitUntilArmed(tab);
      await tab.click("#allow");
      await tab.arrive(`${issuer}/authorized?`);
    },
  },
  {
    name: "authorized, with an error",
    open: (tab, issuer) => tab.goto(`${issuer}/authorized?error=access_denied&state=s`),
  },
  { name: "change of the password", open: openPasswordForm },
  {
    name: "change of the password, refused",
    async open(tab, issuer) {
      await openPasswordForm(tab, issuer);
      await tab.type("#current_password", "wrong");
      await tab.type("#new_password", "long enough");
      await tab.type("#repeated_password", "long enough");
      await tab.click("#change-password-button");
    },
  },
  { name: "sign-in without other ways", open: (tab, issuer) => tab.goto(`${issuer}/account`) },
];

/** What a visitor sees of a lab that has a token. */
const guardedPages: readonly ShownPage[] = [
  { name: "home without the token", open: (tab, issuer) => tab.goto(`${issuer}/`) },
  { name: "entry", open: (tab, issuer) => tab.goto(`${issuer}/lab/flows`) },
  {
    name: "entry, with a wrong token",
    async open(tab, issuer) {
      await tab.goto(`${issuer}/lab/flows`);
      await tab.type("#token", "wrong");
      await tab.click("main button");
    },
  },
];

describe("Every page of the server (WCAG 2.2 AA)", () => {
  for (const [language, looks] of languages) {
    it(
      `is accessible and fits in light, dark, 1280, 360 and 320 pixels: ${language}`,
      { skip },
      async () => {
        await inBrowser(strangeLab, async (tab, issuer) => {
          assertEquals(await problemsOn(serverPages, { tab, issuer }, language, looks), []);
        });
      },
    );
  }

  it("is so with a brand, too", { skip }, async () => {
    await serverInBrowser({ brand, store, clients: [trial] }, async (tab, issuer) => {
      assertEquals(await problemsOn(pagesOfServe, { tab, issuer }, "es"), []);
      // The browser notes that a form was refused.
      const complaints = tab.complaints.filter((complaint) => !complaint.includes("422"));
      assertEquals(complaints, []);
    });
  });
});

describe("Every page of a lab (WCAG 2.2 AA)", () => {
  it("is accessible and fits in light, dark, 1280, 360 and 320 pixels", { skip }, async () => {
    await inBrowser(strangeLab, async (tab, issuer) => {
      assertEquals(await problemsOn(labPages, { tab, issuer }, "en"), []);
    });
  });

  it("is so while the lab asks for its token", { skip }, async () => {
    const labToken = "a-token-of-32-letters-and-digits";
    await inBrowser({ labToken }, async (tab, issuer) => {
      assertEquals(await problemsOn(guardedPages, { tab, issuer }, "en"), []);
    });
  });
});
