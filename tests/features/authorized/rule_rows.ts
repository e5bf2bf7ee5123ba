import { startRules } from "../../../src/server/features/authorized/authorized_page.ts";
import { applyRule, requirePresent } from "../../../src/server/protocol/rule.ts";
import type { RuleOutsideLab } from "../../support/broken_rules/outside_lab.ts";

export const authorizedOutsideLab: Readonly<Record<string, RuleOutsideLab>> = {
  "start.client": {
    reason: "A lab has another page in place of the one that applies it.",
    fail: () => requirePresent(applyRule, startRules.client, undefined),
  },
};
