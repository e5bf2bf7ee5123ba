import { importJWK, SignJWT } from "jose";
import { demoIssuerKey } from "../../../src/lab/demo/demo_keys.ts";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import {
  api,
  type BrokenRules,
  type RuleLab,
  type RuleRows,
} from "../../support/broken_rules/rule_lab.ts";
import type { Fields } from "../../support/kit.ts";
import type { PlayInSettings } from "../../support/refusals.ts";

const { d: _, ...publicKey } = demoIssuerKey;

/** A lab that trusts a CI system for one workload. */
const settings: Partial<LabConfig> = {
  workloadIssuers: [{
    name: "ci",
    issuer: "https://ci.example",
    jwks: { keys: [publicKey] },
    workloads: [{ claims: { sub: "repo:a" }, resources: [api], scopes: ["read"] }],
  }],
};

/** Presents a token of the workload, with changes to its claims. */
function bring(
  claims: object,
  fields: Fields = {},
  { times = 1, typ = "JWT" } = {},
): PlayInSettings<RuleLab> {
  return {
    settings,
    async play(kit) {
      const iat = kit.clock.now / 1000;
      const aud = `${kit.issuer}/oauth2/token`;
      const all = { iss: "https://ci.example", sub: "repo:a", aud, jti: "a", iat, exp: iat + 60 };
      const assertion = await new SignJWT({ ...all, ...claims })
        .setProtectedHeader({ alg: "ES256", typ, kid: demoIssuerKey.kid ?? "" })
        .sign(await importJWK(demoIssuerKey, "ES256"));
      const sent = { grant_type: jwtBearerGrantType, assertion, ...fields };
      for (let time = 0; time < times; time++) await kit.post("/oauth2/token", sent);
    },
  };
}

/** The rules of a workload, in their order. */
const rows: BrokenRules = {
  "workload.issuer": bring({ iss: "https://elsewhere.example" }),
  "workload.signature": bring({}, {}, { typ: "at+jwt" }),
  "workload.sub": bring({ sub: undefined }),
  "workload.audience": bring({ aud: "https://elsewhere.example" }),
  "workload.jti": bring({ jti: undefined }),
  "workload.times": bring({ iat: undefined }),
  "workload.key": bring({ cnf: { jkt: "a" } }),
  "workload.known": bring({ sub: "repo:b" }),
  "workload.resource": bring({}, { resource: "https://elsewhere.example" }),
  "workload.unused": bring({}, {}, { times: 2 }),
};

/** Token requests of workloads that succeed. */
const successes: BrokenRules = { "workload": bring({}, { scope: "read" }) };

export const workloadRuleRows: RuleRows = {
  file: "../../features/assertions/workload_rule_rows.ts",
  rows,
  successes,
};
