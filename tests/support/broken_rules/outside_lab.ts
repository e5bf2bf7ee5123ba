import { bodyTooSlow } from "../../../src/http/body.ts";
import { promptNoneRules } from "../../../src/protocol/next_step_rules.ts";
import { readPresentedToken } from "../../../src/protocol/presented_token.ts";
import { keepAllowedResources } from "../../../src/protocol/resource_request.ts";
import { applyRule } from "../../../src/protocol/rule.ts";

/** A rule that no request to a lab can break. */
interface RuleOutsideLab {
  reason: string;
  /** Throws the error of the rule. */
  fail(): unknown;
}

/** The rules that no request to a lab can break, or not soon enough for a test. */
export const outsideLab: Readonly<Record<string, RuleOutsideLab>> = {
  "body.time": {
    reason: "A request that breaks it takes 15 seconds.",
    fail: () => {
      throw bodyTooSlow();
    },
  },
  "prompt.none_select_account": {
    reason: "The rule 'prompt.none_alone' refuses the two prompts before.",
    fail: () =>
      applyRule(promptNoneRules["select-account"], { step: "select-account", prompt: ["none"] }),
  },
  "resource.still_allowed": {
    reason: "The configuration of a lab does not change while it runs.",
    fail: () => keepAllowedResources(applyRule, ["https://api.example"], []),
  },
  "token.scheme": {
    reason: "Every endpoint of the server accepts both schemes; an API need not.",
    fail: () =>
      readPresentedToken(applyRule, "DPoP a", undefined, { schemes: ["Bearer"], algs: [] }),
  },
};
