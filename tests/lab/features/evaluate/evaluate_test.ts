import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { type EvaluateOptions, hallpass, LabError } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";

const it = itWith({ inLab: () => hallpass(options) });

const redirectUris = ["https://app.example/callback"];
const users = [
  { name: "zoe", claims: { name: "Zoe", email: "z@b.example", plan: "pro", roles: ["admin"] } },
  { name: "ned", disabled: true },
];
const clients = [
  { id: "web", redirectUris, scopes: ["openid", "profile", "email", "read"] },
  { id: "plan", redirectUris, claims: ["plan"], subjectType: "pairwise" as const },
  { id: "code-only", redirectUris, grantTypes: ["authorization_code"] },
  {
    id: "service",
    secret: "a-secret-of-the-service",
    defaultScope: ["read"],
  },
  { id: "gone", redirectUris, disabled: true },
];
const policies = {
  claims: () => ({ tier: "gold" }),
  scope: (_user: unknown, _client: unknown, scope: readonly string[]) =>
    scope.filter((token) => token !== "write"),
};

const scopes = ["openid", "profile", "email", "offline_access", "read", "write"];
const options = { users, clients, policies, scopes, resources: ["https://api.example"] };

const openid = { user: "zoe", client: "web", scope: "openid" };

const refusals: Record<string, [asked: EvaluateOptions, rule: string | undefined]> = {
  "the user is disabled": [{ ...openid, user: "ned" }, undefined],
  "the client is disabled": [{ ...openid, client: "gone" }, "client.known"],
  "the client lacks the grant": [{ user: "zoe", client: "service" }, "response_type.allowed"],
  "the client may not have the scope": [{ ...openid, scope: "openid write" }, "scope.allowed"],
  "no server knows the scope": [{ ...openid, client: "plan", scope: "shoes" }, "scope.allowed"],
  "the policy permits nothing": [{ ...openid, client: "plan", scope: "write" }, "scope.permitted"],
  "the server does not know the resource": [{
    client: "service",
    resource: "https://other.example",
  }, "resource.known"],
  "the client cannot refresh": [
    { ...openid, client: "code-only", grant: "refresh_token" },
    "grant_type.allowed",
  ],
};

const mistakes: Array<[when: string, asked: Record<string, unknown>, message: RegExp]> = [
  ["there is no such user", { user: "nobody" }, /no user 'nobody'.*zoe/],
  ["there is no such client", { user: "zoe", client: "none" }, /no client 'none'.*web/],
  ["an option is unknown", { user: "zoe", scopes: ["read"] }, /'scopes'/],
  ["the scope is a list", { user: "zoe", scope: ["read"] }, /'scope'/],
  ["the client acts for a user", { user: "zoe", grant: "client_credentials" }, /leave 'user' out/],
  ["a code has no user", { grant: "authorization_code" }, /needs a 'user'/],
];

describe("What a lab evaluates", () => {
  it.inLab("says which scopes are not granted, and why", async (lab) => {
    const scope = "openid write offline_access";
    const evaluation = await lab.evaluate({ user: "zoe", client: "plan", scope });
    assertEquals(evaluation.scope.granted, ["openid"]);
    assertEquals(evaluation.scope.dropped.map((each) => each.scope), ["write", "offline_access"]);
    assert(evaluation.scope.dropped[0]?.why.includes("policy 'scope'"));
    assert(evaluation.scope.dropped[1]?.why.includes("prompt=consent"));
  });

  it.inLab("says whether there is a refresh token, and why", async (lab) => {
    const [first, second, third] = [
      await lab.evaluate(openid),
      await lab.evaluate({ ...openid, client: "code-only" }),
      await lab.evaluate({ client: "service" }),
    ].map(({ refresh_token: { comes, why } }) => ({ comes, why }));
    assertEquals(first, { comes: true, why: "The client has the grant 'refresh_token'." });
    assertEquals(second, {
      comes: false,
      why: "The client does not have the grant 'refresh_token'.",
    });
    assertEquals(third?.comes, false);
  });

  it("says that the server lacks the grant, if there is no refresh token", async () => {
    const web = { id: "web", redirectUris };
    const grantTypes = ["authorization_code"];
    await using lab = await hallpass({ users, clients: [web], grantTypes });
    const { refresh_token } = await lab.evaluate(openid);
    const expected = [false, "The server does not have the grant 'refresh_token'."];
    assertEquals([refresh_token.comes, refresh_token.why], expected);
  });

  for (const [when, [asked, rule]] of Object.entries(refusals)) {
    it.inLab(`is the refusal of the server if ${when}`, async (lab) => {
      const { refusal, access_token } = await lab.evaluate(asked);
      assertEquals(refusal?.rule, rule);
      assert(refusal?.fix);
      assertEquals(access_token.comes, false);
    });
  }

  it.inLab("shows the refusal of userinfo without 'openid'", async (lab) => {
    const { access_token, userinfo } = await lab.evaluate({ ...openid, scope: "read" });
    assertEquals([access_token.comes, userinfo.comes], [true, false]);
    assertEquals(userinfo.refusal?.error, "insufficient_scope");
  });

  for (const [when, asked, message] of mistakes) {
    it.inLab(`is an error if ${when}`, async (lab) => {
      const error = await assertRejects(() => lab.evaluate(asked as EvaluateOptions), LabError);
      assert(message.test(error.message), error.message);
    });
  }

  it("is that of a tenant, too", async () => {
    await using lab = await hallpass();
    const tenant = await lab.tenant(options);
    const { id_token } = await tenant.evaluate(openid);
    assertEquals(id_token.claims.iss, tenant.issuer);
    assertEquals(id_token.claims.tier, "gold");
  });

  it.inLab("follows users and clients that the test changes", async (lab) => {
    lab.clients.put({ id: "new", redirectUris, claims: ["roles"] });
    const { id_token } = await lab.evaluate({ ...openid, client: "new" });
    assertEquals(id_token.claims.roles, ["admin"]);
  });
});
