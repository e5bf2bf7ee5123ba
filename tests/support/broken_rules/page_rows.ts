import { answerPages, type Browser } from "../browser.ts";
import type { BrokenRules, RuleLab } from "./rule_lab.ts";

/** Signs alice in, and returns her browser. */
async function signedInBrowser(kit: RuleLab): Promise<Browser> {
  const browser = kit.browser();
  await answerPages(browser, await browser.open(kit.authorizationUrl()));
  return browser;
}

/** The rules of the pages for users, whose requests a lab does not record. */
export const pageRows: BrokenRules = {
  "account.client_id": async (kit) => {
    const browser = await signedInBrowser(kit);
    const page = await browser.open(`${kit.issuer}/account`);
    await browser.submit(page, "remove-demo-spa", { client_id: "" });
  },
  "form.token": (kit) => kit.post("/sign-out", {}),
};
