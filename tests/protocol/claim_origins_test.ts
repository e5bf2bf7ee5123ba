import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { ClaimTarget } from "../../src/server/model/claims.ts";
import {
  type ClaimAbsence,
  type ClaimOrigin,
  explainAbsence,
  findClaimOrigins,
} from "../../src/server/protocol/claim_origins.ts";
import {
  type ClaimRules,
  type ClaimsQuery,
  claimTargets,
  pickOpenClaims,
} from "../../src/server/protocol/claim_rules.ts";

const user = { name: "Zoe", email: "zoe@example.com", groups: ["a"], plan: "pro", salary: 1 };

const rules: ClaimRules = {
  idTokenClaims: "minimal",
  scopeClaims: new Map([
    ["groups", ["groups"]],
    ["plan", { accessToken: ["plan"] }],
    ["pay", { userinfo: ["salary"] }],
  ]),
};

const client = { scopes: ["openid", "profile", "email", "groups", "plan"], claims: ["plan"] };
const scopes = ["openid", "profile", "email", "groups", "plan", "pay"];

const queryFor = (
  target: ClaimTarget,
  scope: readonly string[],
  requested: ClaimsQuery["requested"] = {},
): ClaimsQuery => ({ target, scope, client, requested });

const origins: Array<
  [claim: string, query: ClaimsQuery, expected: ClaimOrigin[]]
> = [
  ["name", queryFor("userinfo", ["openid", "profile"]), [{ by: "scope", scope: "profile" }]],
  ["name", queryFor("id_token", ["openid", "profile"]), []],
  ["groups", queryFor("access_token", ["groups"]), [{ by: "scope", scope: "groups" }]],
  ["plan", queryFor("access_token", ["plan"]), [
    { by: "scope", scope: "plan" },
    { by: "client" },
  ]],
  ["email", queryFor("id_token", ["openid"], { email: { essential: false } }), [{
    by: "request",
  }]],
  ["sub", queryFor("id_token", ["openid"], { sub: { essential: true } }), []],
];

const absences: Array<
  [claim: string, query: ClaimsQuery, named: string[], expected: ClaimAbsence]
> = [
  ["nickname", queryFor("userinfo", ["profile"]), [], { reason: "no value" }],
  ["email", queryFor("userinfo", ["openid"]), [], { reason: "scope", scopes: ["email"] }],
  ["email", queryFor("access_token", ["email"]), [], { reason: "target", targets: ["userinfo"] }],
  ["shoe_size", queryFor("userinfo", ["profile"]), [], { reason: "no rule" }],
  ["salary", queryFor("userinfo", ["openid"]), ["salary"], { reason: "not allowed" }],
  ["nickname", queryFor("id_token", ["openid"]), ["nickname"], { reason: "no value" }],
  [
    "email",
    queryFor("id_token", ["openid"], { email: { essential: false, values: ["a@b.example"] } }),
    ["email"],
    { reason: "other value" },
  ],
];

describe("The origins of claims", () => {
  for (const [claim, query, expected] of origins) {
    it(`are ${JSON.stringify(expected)} for ${claim} in the ${query.target}`, () => {
      assertEquals(findClaimOrigins(claim, user, query, rules), expected);
    });
  }

  it("are there for exactly the claims that are picked, whatever the scope", () => {
    const requested = { email: { essential: false }, salary: { essential: true } };
    for (let bits = 0; bits < 2 ** scopes.length; bits++) {
      const scope = scopes.filter((_, index) => bits & (1 << index));
      for (const target of claimTargets) {
        const query = queryFor(target, scope, requested);
        const explained = Object.keys(user).filter((name) =>
          findClaimOrigins(name, user, query, rules).length > 0
        );
        const picked = Object.keys(pickOpenClaims(user, query, rules));
        assertEquals(explained.sort(), picked.sort(), `${target}: ${scope.join(" ")}`);
      }
    }
  });
});

describe("The absence of a claim", () => {
  for (const [claim, query, names, expected] of absences) {
    it(`is explained by ${JSON.stringify(expected)} for ${claim} in the ${query.target}`, () => {
      assertEquals(explainAbsence(claim, user, query, rules, { names, scopes }), expected);
    });
  }
});
