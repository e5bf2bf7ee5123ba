import { assertionClaimRules } from "../../../src/server/features/assertions/assertion_rules.ts";
import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import { applyRule } from "../../../src/server/protocol/rule.ts";
import type { RuleOutsideLab } from "../../support/broken_rules/outside_lab.ts";
import {
  type BrokenRules,
  ofUnknownClient,
  type RuleLab,
  type RuleRows,
} from "../../support/broken_rules/rule_lab.ts";
import { type Fields, service } from "../../support/kit.ts";
import { type Play, token } from "../../support/refusals.ts";
import { type AssertionChanges, demoAssertion, idJagType } from "./assertions.ts";

/** Presents an assertion of the demo issuer, with changes to its claims. */
function bring(changes: AssertionChanges, fields: Fields = {}): Play<RuleLab> {
  return async (kit) => {
    const assertion = await demoAssertion(kit, changes);
    return await token({ grant_type: jwtBearerGrantType, assertion, ...fields }, service)(kit);
  };
}

/** Presents an ID-JAG of the demo issuer for demo-service. */
function bringIdJag(claims: object, fields: Fields = {}): Play<RuleLab> {
  const changes = { claims: { client_id: "demo-service", ...claims }, typ: idJagType };
  return bring(changes, fields);
}

/** The rules of the JWT bearer grant, in their order. */
const rows: BrokenRules = {
  ...ofUnknownClient(
    "assertion.confidential",
    token({ grant_type: jwtBearerGrantType, client_id: "any" }),
  ),
  "assertion.present": bring({}, { assertion: undefined }),
  "assertion.foreign": async (kit) => await bring({ claims: { iss: kit.issuer } })(kit),
  "assertion.issuer": bring({ claims: { iss: "https://elsewhere.example" } }),
  "assertion.signature": bring({ typ: "at+jwt" }),
  "assertion.sub": bring({ claims: { sub: undefined } }),
  "assertion.audience": bring({ claims: { aud: "https://other.test" } }),
  "assertion.jti": bring({ claims: { jti: undefined } }),
  "assertion.client": bringIdJag({ client_id: "demo-web" }),
  "assertion.scope_form": bring({ claims: { scope: ["read"] } }),
  "assertion.resource_form": bring({ claims: { resource: [] } }),
  "assertion.times": bringIdJag({ iat: undefined }),
  "assertion.key": bringIdJag({ cnf: { jkt: "a" } }),
  "assertion.user": bring({ claims: { sub: "nobody" } }),
  "id_jag.tenant": bringIdJag({ tenant: "acme" }),
  "id_jag.no_details": bringIdJag({ authorization_details: [] }),
  "id_jag.resource": bringIdJag({ resource: "not a uri" }),
  "id_jag.scope": bringIdJag({ scope: "unheard-of" }),
  "id_jag.scope_allowed": bringIdJag({ scope: "openid" }),
  "assertion.unused": async (kit) => {
    await bringIdJag({ jti: "a" })(kit);
    await bringIdJag({ jti: "a" })(kit);
  },
};

/** Token requests with assertions that succeed. */
const successes: BrokenRules = {
  "assertion": bring({}, { scope: "read" }),
  "id_jag": bringIdJag({ scope: "read" }, { scope: "read" }),
};

export const assertionRuleRows: RuleRows = {
  file: "../../features/assertions/rule_rows.ts",
  rows,
  successes,
};

/** The rule of assertions that no request to a lab can break. */
export const assertionsOutsideLab: Readonly<Record<string, RuleOutsideLab>> = {
  "assertion.iss": {
    reason: "A claim that is written twice has its last value, whoever reads it.",
    fail: () => {
      const unverified = { issuer: "https://a.example", isIdJag: false };
      const claims = { iss: "https://b.example" };
      const facts = { claims, unverified, clientId: "a", audience: "https://c.example", now: 0 };
      for (const rule of Object.values(assertionClaimRules)) applyRule(rule, facts);
    },
  },
};
