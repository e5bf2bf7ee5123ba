import type { BrokenRules, RuleRows } from "../../support/broken_rules/rule_lab.ts";
import { post } from "../../support/refusals.ts";

const rows: BrokenRules = {
  "revocation.token": post("/oauth2/revoke", {}),
  "revocation.client": async (kit) => {
    const { access_token: token } = await kit.tokens();
    await post("/oauth2/revoke", { token, client_id: "other-spa" })(kit);
  },
};

const successes: BrokenRules = {
  "revocation": async (kit) =>
    await post("/oauth2/revoke", { token: (await kit.tokens()).access_token })(kit),
};

export const revocationRuleRows: RuleRows = {
  file: "../../features/revocation/rule_rows.ts",
  rows,
  successes,
};
