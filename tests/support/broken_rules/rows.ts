import { assertionRows, assertionSuccesses } from "./assertion_rows.ts";
import {
  authorizationRows,
  authorizationSuccesses,
  interactionRows,
  pushedRows,
} from "./authorization_rows.ts";
import { exchangeRows, exchangeSuccesses } from "./extension_rows.ts";
import { idJagRows, idJagSuccesses } from "./id_jag_rows.ts";
import { limitRows, logoutRows, logoutSuccesses } from "./limit_rows.ts";
import { outsideLab } from "./outside_lab.ts";
import { pageRows } from "./page_rows.ts";
import { clientRows, clientSuccesses, requestRows } from "./request_rows.ts";
import type { BrokenRules } from "./rule_lab.ts";
import {
  clientCredentialsRows,
  codeRows,
  deviceRows,
  refreshRows,
  tokenRows,
  tokenSuccesses,
} from "./token_rows.ts";
import {
  proofRows,
  registrationRows,
  tokenStateRows,
  tokenUseSuccesses,
  userinfoRows,
} from "./token_use_rows.ts";
import { workloadRows, workloadSuccesses } from "./workload_rows.ts";

/** The rows of each file. */
const rowsByFile: Readonly<Record<string, BrokenRules>> = {
  "request_rows.ts": { ...requestRows, ...clientRows },
  "authorization_rows.ts": { ...authorizationRows, ...pushedRows, ...interactionRows },
  "token_rows.ts": {
    ...{ ...tokenRows, ...codeRows, ...refreshRows },
    ...{ ...clientCredentialsRows, ...deviceRows },
  },
  "assertion_rows.ts": assertionRows,
  "extension_rows.ts": exchangeRows,
  "id_jag_rows.ts": idJagRows,
  "workload_rows.ts": workloadRows,
  "limit_rows.ts": { ...limitRows, ...logoutRows },
  "token_use_rows.ts": {
    ...{ ...proofRows, ...userinfoRows },
    ...{ ...tokenStateRows, ...registrationRows },
  },
};

/** The request that breaks each rule, at the endpoints that a lab records. */
export const recordedRules: BrokenRules = Object.assign({}, ...Object.values(rowsByFile));

/** The request that breaks each rule. */
export const brokenRules: BrokenRules = { ...recordedRules, ...pageRows };

/** Requests that succeed, at each endpoint and with each grant. */
export const successes: BrokenRules = {
  ...authorizationSuccesses,
  ...clientSuccesses,
  ...tokenSuccesses,
  ...exchangeSuccesses,
  ...assertionSuccesses,
  ...idJagSuccesses,
  ...workloadSuccesses,
  ...tokenUseSuccesses,
  ...logoutSuccesses,
};

/** Returns the file that has what breaks a rule. */
export function testOf(rule: string): string {
  const rows = { ...rowsByFile, "page_rows.ts": pageRows, "outside_lab.ts": outsideLab };
  const [file] = Object.entries(rows).find(([, each]) => rule in each) ?? [];
  if (file === undefined) throw new Error(`No row of tests/support/broken_rules breaks '${rule}'.`);
  return file;
}
