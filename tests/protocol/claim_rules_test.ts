import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { type ClaimTarget, serverClaims } from "../../src/server/model/claims.ts";
import {
  type ClaimReceiver,
  type ClaimRules,
  claimsBeyondScope,
  type ClaimsQuery,
  mayNameClaim,
  opensClaims,
  pickOpenClaims,
} from "../../src/server/protocol/claim_rules.ts";

const user = { name: "Zoe", email: "zoe@example.com", groups: ["a"], plan: "pro", salary: 1 };

const rules: ClaimRules = {
  ownGroups: false,
  idTokenClaims: "minimal",
  scopeClaims: new Map([
    ["groups", ["groups"]],
    ["plan", { accessToken: ["plan"] }],
    ["pay", { userinfo: ["salary"] }],
  ]),
};

const client: ClaimReceiver = { scopes: ["openid", "profile", "email", "groups", "plan", "pay"] };

const named = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { essential: false }]));

interface Row {
  when: string;
  query: Partial<ClaimsQuery>;
  rules?: Partial<ClaimRules>;
  /** The claims in the ID token, the access token and userinfo. */
  expected: [idToken: string, accessToken: string, userinfo: string];
}

const table: Row[] = [
  { when: "no scope opens any", query: { scope: ["openid"] }, expected: ["", "", ""] },
  {
    when: "a standard scope was granted",
    query: { scope: ["openid", "email"] },
    expected: ["", "", "email"],
  },
  {
    when: "a standard scope was granted, and idTokenClaims is by-scope",
    query: { scope: ["openid", "email"] },
    rules: { idTokenClaims: "by-scope" },
    expected: ["email", "", "email"],
  },
  {
    when: "a scope opens a list",
    query: { scope: ["openid", "groups"] },
    expected: ["groups", "groups", "groups"],
  },
  {
    when: "a scope opens a claim for one target",
    query: { scope: ["plan", "pay"] },
    expected: ["", "plan", "salary"],
  },
  {
    when: "a standard scope opens more claims",
    query: { scope: ["email"] },
    rules: { scopeClaims: new Map([["email", { accessToken: ["email", "groups"] }]]) },
    expected: ["", "email groups", "email"],
  },
  {
    when: "the client has a list",
    query: { scope: ["openid"], client: { ...client, claims: ["plan"] } },
    expected: ["plan", "plan", "plan"],
  },
  {
    when: "the client has claims for one target",
    query: { scope: [], client: { ...client, claims: { idToken: ["salary"] } } },
    expected: ["salary", "", ""],
  },
  {
    when: "claims of the client's scopes are requested by name",
    query: { scope: ["openid"], requested: named("email", "groups") },
    expected: ["email groups", "groups", "email groups"],
  },
  {
    when: "a claim is requested where its scope does not open it",
    query: { scope: ["openid"], requested: named("salary", "plan") },
    expected: ["", "plan", "salary"],
  },
  {
    when: "a claim that no rule opens is requested",
    query: { scope: ["openid"], client: { scopes: ["openid"] }, requested: named("salary") },
    expected: ["", "", ""],
  },
  {
    when: "a requested claim has another value",
    query: { scope: [], requested: { email: { essential: true, values: ["x@example.com"] } } },
    expected: ["", "", ""],
  },
  {
    when: "a rule opens what the user does not have",
    query: { scope: [], client: { ...client, claims: ["nickname", "constructor"] } },
    expected: ["", "", ""],
  },
];

describe("pickOpenClaims: which claims of a user reach which target", () => {
  for (const { when, query, rules: changes, expected } of table) {
    it(`O07: is right when ${when}`, () => {
      const namesAt = (target: ClaimTarget) =>
        Object.keys(
          pickOpenClaims(user, { target, scope: [], client, ...query }, { ...rules, ...changes }),
        ).sort().join(" ");
      assertEquals([namesAt("id_token"), namesAt("access_token"), namesAt("userinfo")], expected);
    });
  }

  it("tells when no claim can reach a target, so that no user is looked up", () => {
    const opens = (query: Partial<ClaimsQuery>) =>
      opensClaims({ target: "access_token", scope: ["openid", "email"], client, ...query }, rules);
    const requested = named("groups");
    const all = [{}, { scope: ["groups"] }, { client: { ...client, claims: ["a"] } }, {
      requested,
    }];
    assertEquals(all.map(opens), [false, true, true, true]);
  });

  it("never opens a claim that the server sets, whatever the rules say", () => {
    const names = [...serverClaims];
    const claims = Object.fromEntries(names.map((name) => [name, "forged"]));
    const query = { scope: [], client: { scopes: ["openid"], claims: names } };
    assertEquals(pickOpenClaims(claims, { target: "id_token", ...query }, rules), {});
  });
});

describe("mayNameClaim (OpenID Connect Core, section 5.5)", () => {
  const may = (scopes: string[], name: string) => mayNameClaim({ scopes }, name, "id_token", rules);

  it("allows the claims of the client's scopes, and with openid those of the sign-in", () => {
    const names = ["email", "groups", "sub", "acr", "auth_time"];
    assertEquals(names.filter((name) => !may(["openid", "email", "groups"], name)), []);
  });

  it("L7: allows no claim that no scope of the client opens there", () => {
    const names = ["phone_number", "salary", "plan", "constructor"];
    assertEquals(names.filter((name) => may(client.scopes, name)), []);
    assertEquals(["acr", "groups"].filter((name) => may(["email"], name)), []);
  });
});

describe("claimsBeyondScope", () => {
  it("lists the claims of the client and those by name, without those of the scope", () => {
    const request = { idToken: named("acr", "email", "groups"), userinfo: named("salary") };
    assertEquals(
      claimsBeyondScope(["email"], request, rules, { scopes: [], claims: { idToken: ["plan"] } }),
      ["plan", "salary", "groups"],
    );
    assertEquals(
      claimsBeyondScope(["groups"], { idToken: named("groups"), userinfo: {} }, rules),
      [],
    );
  });
});
