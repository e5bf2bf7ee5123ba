import { accountRules } from "../../../src/server/features/account/password_page.ts";
import { applyRule } from "../../../src/server/protocol/rule.ts";
import type { RuleOutsideLab } from "../../support/broken_rules/outside_lab.ts";
import type { BrokenRules } from "../../support/broken_rules/rule_lab.ts";
import { answerPages } from "../../support/browser.ts";

/** A request to the account page that succeeds. */
export const accountSuccesses: BrokenRules = {
  "account": async (kit) => {
    const browser = kit.browser();
    await answerPages(browser, await browser.open(kit.authorizationUrl()));
    const page = await browser.open(`${kit.issuer}/account`);
    await browser.submit(page, "remove-demo-spa");
  },
};

/** A request of the page that breaks a rule. */
export const accountPageRows: BrokenRules = {
  "account.client_id": async (kit) => {
    const browser = kit.browser();
    await answerPages(browser, await browser.open(kit.authorizationUrl()));
    const page = await browser.open(`${kit.issuer}/account`);
    await browser.submit(page, "remove-demo-spa", { client_id: "" });
  },
};

export const accountOutsideLab: Readonly<Record<string, RuleOutsideLab>> = {
  "account.unchanged": {
    reason: "Only a change at the same moment breaks it, and passwords of a lab do not change.",
    fail: () => applyRule(accountRules.unchanged, { isUnchanged: false }),
  },
};
