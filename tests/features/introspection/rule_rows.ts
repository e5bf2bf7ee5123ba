import { introspectionRules } from "../../../src/server/features/introspection/introspect.ts";
import type { Client } from "../../../src/server/model/client.ts";
import { applyRule } from "../../../src/server/protocol/rule.ts";
import type { RuleOutsideLab } from "../../support/broken_rules/outside_lab.ts";
import type { BrokenRules, RuleRows } from "../../support/broken_rules/rule_lab.ts";
import { service } from "../../support/kit.ts";
import { post } from "../../support/refusals.ts";

const rows: BrokenRules = {
  "introspection.client": post("/oauth2/introspect", { token: "a" }),
  "introspection.token": post("/oauth2/introspect", {}, service),
};

const successes: BrokenRules = {
  "introspection": post("/oauth2/introspect", { token: "a" }, service),
};

export const introspectionRuleRows: RuleRows = {
  file: "../../features/introspection/rule_rows.ts",
  rows,
  successes,
};

/** The rule of introspection that no request to a lab can break. */
export const introspectionOutsideLab: Readonly<Record<string, RuleOutsideLab>> = {
  "introspection.active": {
    reason: 'The response is {"active":false}, which is not an error. The page shows the rule.',
    fail: () => {
      const client = { id: "a", resources: [] } as unknown as Client;
      applyRule(introspectionRules.active, { client, token: undefined, problem: undefined });
    },
  },
};
