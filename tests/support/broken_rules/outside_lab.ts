import { apiRules } from "../../../src/resource/api_rules.ts";
import { readToken } from "../../../src/resource/authorization_server.ts";
import {
  checkScope,
  checkSignIn,
  createScopeHierarchy,
  toVerifiedAccess,
} from "../../../src/resource/verified_access.ts";
import { bodyRules } from "../../../src/server/http/received_body.ts";
import { routeRules } from "../../../src/server/http/router.ts";
import { consentRules } from "../../../src/server/issuer/authorizations/consented_request.ts";
import { limitExceeded, limitRules } from "../../../src/server/issuer/limits/limit_rules.ts";
import { keepAllowedResources } from "../../../src/server/protocol/access_request.ts";
import { promptRules } from "../../../src/server/protocol/interactive_request.ts";
import { promptNoneRules } from "../../../src/server/protocol/next_step.ts";
import { readPresentedToken } from "../../../src/server/protocol/presented_token.ts";
import { applyRule } from "../../../src/server/protocol/rule.ts";
import { accountOutsideLab } from "../../features/account/rule_rows.ts";
import { assertionsOutsideLab } from "../../features/assertions/rule_rows.ts";
import { authorizedOutsideLab } from "../../features/authorized/rule_rows.ts";
import { cibaOutsideLab } from "../../features/ciba/rule_rows.ts";
import { documentsOutsideLab } from "../../features/documents/rule_rows.ts";
import { introspectionOutsideLab } from "../../features/introspection/rule_rows.ts";

/** A rule that no request to a lab can break. */
export interface RuleOutsideLab {
  reason: string;
  /** Throws the error of the rule. */
  fail(): unknown;
}

const apiReason = "Only an API applies it, with hallpass/resource.";
const access = toVerifiedAccess({}, "a");

/** The rules that no request to a lab can break, or not soon enough for a test. */
export const outsideLab: Readonly<Record<string, RuleOutsideLab>> = {
  ...accountOutsideLab,
  ...authorizedOutsideLab,
  ...cibaOutsideLab,
  "request.written_path": {
    reason: "A Request has a path that was parsed; only a listener gets it as it was written.",
    fail: () => applyRule(routeRules.written_path, undefined),
  },
  ...introspectionOutsideLab,
  ...assertionsOutsideLab,
  "body.time": {
    reason: "A request that breaks it takes 15 seconds.",
    fail: () => applyRule(bodyRules.time, true),
  },
  "prompt.none_passkey": {
    reason: "Users of a lab need no passkey, unless its settings demand one.",
    fail: () => applyRule(promptRules.none_passkey, ["none"]),
  },
  "prompt.none_select_account": {
    reason: "The rule 'prompt.none_alone' refuses the two prompts before.",
    fail: () => applyRule(promptNoneRules["select-account"], ["none"]),
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
  "consent.not_withdrawn": {
    reason: "Only a withdrawal at the same moment breaks it.",
    fail: () => applyRule(consentRules.not_withdrawn, { isValid: false }),
  },
  ...documentsOutsideLab,
  "limit.sign_ins": {
    reason: "Only two hundred sign-ins at the same moment break it.",
    fail: () => {
      throw limitExceeded(limitRules.sign_ins);
    },
  },
  "api.token": { reason: apiReason, fail: () => readToken([], "https://api.example", "a") },
  "api.binding": { reason: apiReason, fail: () => applyRule(apiRules.binding, { isKnown: false }) },
  "api.scope": {
    reason: apiReason,
    fail: () => checkScope(access, { scope: ["read"] }, createScopeHierarchy()),
  },
  "api.sign_in_age": { reason: apiReason, fail: () => checkSignIn(access, { maxAge: 1 }, 0) },
  "api.sign_in_acr": {
    reason: apiReason,
    fail: () => checkSignIn(access, { acrValues: ["gold"] }, 0),
  },
};
