import {
  as,
  type BrokenRules,
  proofIn,
  type RuleRows,
} from "../../support/broken_rules/rule_lab.ts";
import { post } from "../../support/refusals.ts";

export const parRuleRows: RuleRows = {
  file: "../../features/par/rule_rows.ts",
  rows: {
    "par.no_request_uri": post("/oauth2/par", { request_uri: "a" }),
    "dpop.pushed_key": async (kit) => {
      const DPoP = await proofIn(kit, {}, "/oauth2/par");
      return await kit.push({ dpop_jkt: "a".repeat(43) }, { DPoP });
    },
  },
};

/** Pushed requests that succeed. */
export const pushedSuccesses: BrokenRules = {
  "by a pushed request": async (kit) => {
    const { body: { request_uri } } = await kit.push();
    return await kit.authorize({ request_uri });
  },
  "of a client that authenticates": async (kit) => {
    const DPoP = await proofIn(kit, {}, "/oauth2/par");
    const headers = { ...as("without-pkce"), DPoP };
    return await kit.push({ client_id: undefined, scope: "read" }, headers);
  },
};
