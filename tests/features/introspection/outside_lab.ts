import { introspectionRules } from "../../../src/server/features/introspection/introspect.ts";
import type { Client } from "../../../src/server/model/client.ts";
import { applyRule } from "../../../src/server/protocol/rule.ts";
import type { RuleOutsideLab } from "../../support/broken_rules/outside_lab.ts";

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
