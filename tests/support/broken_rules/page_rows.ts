import { answerPages } from "../browser.ts";
import type { BrokenRules } from "./rule_lab.ts";

/** The rules of the pages for users, whose requests a lab does not record. */
export const pageRows: BrokenRules = {
  "account.client_id": async (kit) => {
    const browser = kit.browser();
    await answerPages(browser, await browser.open(kit.authorizationUrl()));
    const page = await browser.open(`${kit.issuer}/account`);
    await browser.submit(page, "remove-demo-spa", { client_id: "" });
  },
};
