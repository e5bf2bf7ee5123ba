import type { BrokenRules, RuleRows } from "../../support/broken_rules/rule_lab.ts";
import { answerPages } from "../../support/browser.ts";
import { logoutUrl, signedIn } from "../../support/logout.ts";

/** The rules of logout requests. */
const rows: BrokenRules = {
  "logout.same_client": async (kit) => {
    const { id_token: id_token_hint } = await kit.tokens({ scope: "openid" });
    const url = logoutUrl(kit, { client_id: "other-spa", id_token_hint });
    await kit.get(url.slice(kit.issuer.length));
  },
  "logout.current": (kit) => kit.get("/oauth2/logout/a"),
};

/** Sign-outs that succeed. */
const successes: BrokenRules = {
  "sign-out": async (kit) => {
    const browser = kit.browser();
    await answerPages(browser, await browser.open(kit.authorizationUrl()));
    const page = await browser.open(logoutUrl(kit));
    await browser.submit(page, "confirm-sign-out");
  },
  "sign-out of a client": async (kit) => {
    const { browser, idToken: id_token_hint } = await signedIn(kit, { scope: "openid" });
    // It is not registered, so the user is asked.
    const post_logout_redirect_uri = "https://elsewhere.example/";
    const fields = { client_id: "demo-spa", id_token_hint, post_logout_redirect_uri };
    const page = await browser.open(logoutUrl(kit, fields));
    await browser.submit(page, "confirm-sign-out");
  },
};

export const logoutRuleRows: RuleRows = {
  file: "../../features/logout/rule_rows.ts",
  rows,
  successes,
};
