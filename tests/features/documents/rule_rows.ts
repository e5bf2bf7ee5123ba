import { documentRules } from "../../../src/server/features/documents/read_client_document.ts";
import { applyRule } from "../../../src/server/protocol/rule.ts";
import type { RuleOutsideLab } from "../../support/broken_rules/outside_lab.ts";

const reason = "The request breaks the rule 'client.known', whose hint has this error.";

/** The rules of metadata documents, of which the hint of another rule has the error. */
export const documentsOutsideLab: Readonly<Record<string, RuleOutsideLab>> = {
  "document.client_id": {
    reason,
    fail: () =>
      applyRule(documentRules.client_id, { received: "a", expected: "https://app.example/" }),
  },
  "document.no_secret": {
    reason,
    fail: () => applyRule(documentRules.no_secret, { client_secret: "a" }),
  },
};
