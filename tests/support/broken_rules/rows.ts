import { accountSuccesses } from "../../features/account/rule_rows.ts";
import { assertionRuleRows } from "../../features/assertions/rule_rows.ts";
import { workloadRuleRows } from "../../features/assertions/workload_rule_rows.ts";
import { cibaRuleRows } from "../../features/ciba/rule_rows.ts";
import { deviceRuleRows } from "../../features/device/rule_rows.ts";
import { introspectionRuleRows } from "../../features/introspection/rule_rows.ts";
import { jweRuleRows } from "../../features/jwe/rule_rows.ts";
import { logoutRuleRows } from "../../features/logout/rule_rows.ts";
import { mtlsRuleRows } from "../../features/mtls/rule_rows.ts";
import { parRuleRows, pushedSuccesses } from "../../features/par/rule_rows.ts";
import { registrationRuleRows } from "../../features/registration/rule_rows.ts";
import { requestUriRuleRows } from "../../features/request_uris/rule_rows.ts";
import { revocationRuleRows } from "../../features/revocation/rule_rows.ts";
import { idJagRuleRows } from "../../features/token_exchange/id_jag_rule_rows.ts";
import { exchangeRuleRows } from "../../features/token_exchange/rule_rows.ts";
import {
  authorizationRows,
  authorizationSuccesses,
  interactionRows,
} from "./authorization_rows.ts";
import { limitRows } from "./limit_rows.ts";
import { outsideLab } from "./outside_lab.ts";
import { pageRows } from "./page_rows.ts";
import { clientRows, clientSuccesses, requestRows } from "./request_rows.ts";
import type { BrokenRules, RuleRows } from "./rule_lab.ts";
import {
  clientCredentialsRows,
  codeRows,
  refreshRows,
  tokenRows,
  tokenSuccesses,
} from "./token_rows.ts";
import { proofRows, tokenUseSuccesses, userinfoRows } from "./token_use_rows.ts";

/** The rows of each file, of which a lab records the requests. */
const recordedRows: readonly RuleRows[] = [
  { file: "request_rows.ts", rows: { ...requestRows, ...clientRows } },
  { file: "authorization_rows.ts", rows: { ...authorizationRows, ...interactionRows } },
  parRuleRows,
  {
    file: "token_rows.ts",
    rows: { ...{ ...tokenRows, ...codeRows }, ...{ ...refreshRows, ...clientCredentialsRows } },
  },
  deviceRuleRows,
  cibaRuleRows,
  exchangeRuleRows,
  idJagRuleRows,
  assertionRuleRows,
  workloadRuleRows,
  { file: "limit_rows.ts", rows: limitRows },
  {
    file: "token_use_rows.ts",
    rows: { ...proofRows, ...userinfoRows },
    successes: tokenUseSuccesses,
  },
  introspectionRuleRows,
  jweRuleRows,
  requestUriRuleRows,
  mtlsRuleRows,
  revocationRuleRows,
  logoutRuleRows,
  registrationRuleRows,
];

/** The request that breaks each rule, at the endpoints that a lab records. */
export const recordedRules: BrokenRules = Object.assign(
  {},
  ...recordedRows.map(({ rows }) => rows),
);

/** The request that breaks each rule. */
export const brokenRules: BrokenRules = { ...recordedRules, ...pageRows };

/** Requests that succeed, at each endpoint and with each grant. */
export const successes: BrokenRules = {
  ...authorizationSuccesses,
  ...pushedSuccesses,
  ...accountSuccesses,
  ...clientSuccesses,
  ...tokenSuccesses,
  ...Object.assign({}, ...recordedRows.map((each) => each.successes)),
};

/** Returns the file that has what breaks a rule; undefined without the feature that has it. */
export function testOf(rule: string): string | undefined {
  const others = [{ file: "page_rows.ts", rows: pageRows }, {
    file: "outside_lab.ts",
    rows: outsideLab,
  }];
  return [...recordedRows, ...others].find(({ rows }) => rule in rows)?.file;
}
