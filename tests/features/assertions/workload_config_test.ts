import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { ConfigError } from "../../../src/server/config/problems.ts";
import type {
  Config,
  WorkloadIssuerConfig,
  WorkloadRuleConfig,
} from "../../../src/server/features.ts";
import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import { openStrictKit } from "../../support/kit.ts";

const rule: WorkloadRuleConfig = {
  claims: { sub: "repo:a" },
  resources: ["https://api.example"],
  scopes: ["read"],
};
const ci: WorkloadIssuerConfig = { name: "ci", issuer: "https://ci.example", workloads: [rule] };

function problemsOf(workloadIssuers: WorkloadIssuerConfig[], changes: Partial<Config> = {}) {
  const config = {
    grantTypes: [jwtBearerGrantType],
    resources: ["https://api.example"],
    scopes: { openid: "Sign in", read: "Read" },
    workloadIssuers,
    ...changes,
  };
  const error: Error = assertThrows(() => openStrictKit(config), ConfigError);
  return error instanceof ConfigError ? error.problems : [];
}

const noIdentity =
  "workloadIssuers[0].workloads[0].claims has no claim that says who the workload is: 'sub', 'repository_id', 'project_id', or the namespace and the serviceaccount.name in 'kubernetes.io'";

describe("The setting workloadIssuers is refused", () => {
  const weak: Array<[what: string, claims: Record<string, unknown>]> = [
    ["no condition", {}],
    ["the issuer alone", { iss: "https://ci.example" }],
    ["the audience alone", { aud: "hallpass" }],
    ["an id alone", { jti: "a" }],
    ["times alone", { exp: 1, iat: 1, nbf: 1 }],
    ["a branch alone", { ref: "refs/heads/main" }],
    ["an event alone", { event_name: "push", repository_visibility: "private" }],
    ["the owner of repositories alone", { repository_owner: "acme", repository_owner_id: "1" }],
    ["a namespace alone", { "kubernetes.io": { namespace: "agents" } }],
    ["a service account alone", { "kubernetes.io": { serviceaccount: { name: "router" } } }],
    ["a pod alone", { "kubernetes.io": { namespace: "agents", pod: { name: "a" } } }],
  ];
  for (const [what, claims] of weak) {
    it(`W05 with ${what}`, () => {
      assertEquals(problemsOf([{ ...ci, workloads: [{ ...rule, claims }] }]), [noIdentity]);
    });
  }

  const bad: Record<
    string,
    [issuers: WorkloadIssuerConfig[], problem: string, changes?: Partial<Config>]
  > = {
    "W02 without the grant": [
      [ci],
      "workloadIssuers is set, but grantTypes does not contain the JWT bearer grant",
      { grantTypes: ["client_credentials"] },
    ],
    "W02 for this server": [
      [{ ...ci, issuer: "https://hallpass.test" }],
      "workloadIssuers[0].issuer is this server itself",
    ],
    "W07 for an issuer that speaks for users": [
      [ci],
      "workloadIssuers[0].issuer is among trustedIssuers, too; an issuer of workloads cannot speak for users",
      {
        trustedIssuers: [{ issuer: ci.issuer, jwksUri: "https://ci.example/jwks", clients: ["a"] }],
      },
    ],
    "W02 twice for an issuer": [
      [ci, { ...ci, name: "b" }],
      "the 'issuer' of workloadIssuers contains 'https://ci.example' more than once",
    ],
    "W08 twice with a name": [
      [ci, { ...ci, issuer: "https://b.example" }],
      "the 'name' of workloadIssuers contains 'ci' more than once",
    ],
    "W08 with a name that has a colon": [
      [{ ...ci, name: "ci:b" }],
      "workloadIssuers[0].name must be small letters, digits and hyphens",
    ],
    "W03 with keys without https": [
      [{ ...ci, jwksUri: "http://ci.example/jwks" }],
      "workloadIssuers[0].jwksUri must use https",
    ],
    "W03 with an issuer without https": [
      [{ ...ci, issuer: "http://ci.example" }],
      "workloadIssuers[0].issuer must use https, because it leads to its keys",
    ],
    "W03 with an issuer that leads to no keys": [
      [{ ...ci, issuer: "spiffe://acme.example" }],
      "workloadIssuers[0].jwksUri is missing, and the issuer is no URL; set jwks or jwksUri",
    ],
    "W06 without a workload": [
      [{ ...ci, workloads: [] }],
      "workloadIssuers[0].workloads is empty, so that no token could be issued",
    ],
    "W06 without a resource": [
      [{ ...ci, workloads: [{ ...rule, resources: [] }] }],
      "workloadIssuers[0].workloads[0].resources is empty, so that no token could be issued",
    ],
    "W06 without a scope": [
      [{ ...ci, workloads: [{ ...rule, scopes: [] }] }],
      "workloadIssuers[0].workloads[0].scopes is empty, so that no token could be issued",
    ],
    "W06 for a resource of others": [
      [{ ...ci, workloads: [{ ...rule, resources: ["https://b.example"] }] }],
      "workloadIssuers[0].workloads[0].resources contains 'https://b.example', which is not a resource of the server",
    ],
    "W07 with a scope about users": [
      [{ ...ci, workloads: [{ ...rule, scopes: ["openid"] }] }],
      "workloadIssuers[0].workloads[0].scopes contains 'openid', which is not a scope of the server for an API",
    ],
    "W05 with a pattern": [
      [{ ...ci, workloads: [{ ...rule, claims: { sub: "a", ref: ["a", "b"] } }] }],
      "workloadIssuers[0].workloads[0].claims.ref must be the exact value: a text, a number, true or false",
    ],
    "W05 with an empty value": [
      [{ ...ci, workloads: [{ ...rule, claims: { sub: "a", ref: "" } }] }],
      "workloadIssuers[0].workloads[0].claims.ref must be the exact value: a text, a number, true or false",
    ],
    "W08 beside a user who looks like a workload": [
      [ci],
      "users[0].sub begins with 'workload:', as only the subjects of workloads do",
      { users: [{ name: "eve", sub: "workload:ci:repo:a" }] },
    ],
    "W08 beside a client that looks like a workload": [
      [ci],
      "clients[0].id begins with 'workload:', as only the subjects of workloads do",
      { clients: [{ id: "workload:ci:repo:a", secret: "s", grantTypes: [jwtBearerGrantType] }] },
    ],
  };
  for (const [what, [issuers, problem, changes]] of Object.entries(bad)) {
    it(what, () => assertEquals(problemsOf(issuers, changes), [problem]));
  }
});
