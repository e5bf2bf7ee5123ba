import { assertEquals } from "@std/assert";
import axe from "axe-core";
import { HtmlValidate } from "html-validate";
import { describe, it } from "node:test";
import { chromium, type Tab } from "../../support/chromium.ts";
import { inBrowser } from "../../support/in_browser.ts";
import {
  accessibilityProblems,
  elementsBeyond,
  lookAt,
  looks,
  type ShownPage,
  startOver,
  waitUntilArmed,
} from "../../support/page_quality.ts";
import { serverPages, strangeLab } from "./server_pages.ts";

const skip = chromium ? false : "this machine has no Chromium";

const validator = new HtmlValidate({ extends: ["html-validate:standard", "html-validate:a11y"] });

/** The pages in each language that differs in its direction, or in the length of its words. */
const languages = ["en", "de", "ar"];

/** Opens a page, and returns what is wrong with it in any look. */
async function problemsOf(page: ShownPage, tab: Tab, issuer: string): Promise<string[]> {
  await page.open(tab, issuer);
  await waitUntilArmed(tab);
  const problems = (await markupProblems(tab)).map((problem) => `${page.name}: ${problem}`);
  for (const look of looks) {
    await lookAt(tab, look);
    const found = [
      ...await elementsBeyond(tab),
      ...await accessibilityProblems(tab, axe.source),
    ];
    problems.push(...found.map((each) => `${page.name}, ${look.width}, ${look.theme}: ${each}`));
  }
  return problems;
}

async function markupProblems(tab: Tab): Promise<string[]> {
  const { results } = await validator.validateString(await tab.html());
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId} ${line}:${column} ${message}`)
  );
}

describe("Every page of the server (WCAG 2.2 AA)", () => {
  for (const language of languages) {
    it(
      `is accessible and fits in light, dark, 1280 and 360 pixels: ${language}`,
      { skip },
      async () => {
        const problems: string[] = [];
        await inBrowser(strangeLab, async (tab, issuer) => {
          for (const page of serverPages) {
            await startOver(tab, language);
            problems.push(...await problemsOf(page, tab, issuer));
          }
        });
        assertEquals(problems, []);
      },
    );
  }
});
