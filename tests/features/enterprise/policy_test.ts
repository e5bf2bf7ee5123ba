import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { describe, it } from "node:test";
import type { Directory, TestLab } from "../../../src/lab/testing/mod.ts";
import type { IdJagConfig } from "../../../src/server/features.ts";
import { idTokenType } from "../../support/enterprise.ts";
import type { Fields } from "../../support/kit.ts";
import { type EnterpriseLab, openEnterpriseLab } from "./enterprise_lab.ts";
import { gather, issuer, there } from "./enterprise_misuses.ts";

function change<T>(directory: Directory<T>, name: string, changes: Partial<T>): void {
  directory.put({ ...directory.get(name), ...changes });
}

function withoutAlice(company: TestLab): IdJagConfig[] {
  return (company.clients.get("agent").idJag ?? []).map((each) => ({
    ...each,
    users: { bob: ["read"] },
  }));
}

/** Requests that want more than the policy gives bob, or something else. */
const wishes: Array<[title: string, changes: Fields]> = [
  ["a scope that only alice has", { scope: "write" }],
  ["a scope of the lab that is not of the policy", { scope: "profile" }],
  ["a scope that no server has", { scope: "admin" }],
  ["another resource", { resource: `${issuer}/other` }],
  ["the company as the resource", { resource: there }],
  ["a second resource", { resource: [`${issuer}/mcp`, `${issuer}/other`] }],
  ["another audience", { audience: "https://other.example" }],
  ["the company as the audience", { audience: there }],
  ["a second audience", { audience: [issuer, "https://other.example"] }],
  ["an audience with a slash", { audience: `${issuer}/` }],
  ["an actor", { actor_token: "x", actor_token_type: idTokenType }],
  ["authorization details", { authorization_details: '[{"type":"payment_initiation"}]' }],
];

describe("The policy of the company in an enterprise", () => {
  it("refuses a request for an ID-JAG that wants more, or something else", async () => {
    await using open = await openEnterpriseLab();
    const { id_token } = await open.signIn("bob");
    for (const [title, changes] of wishes) {
      const { status, body } = await open.exchange(id_token, changes);
      assertEquals([title, status, body.access_token], [title, 400, undefined]);
    }
  });

  it("gives the part of a scope that the policy allows", async () => {
    await using open = await openEnterpriseLab();
    const { id_token } = await open.signIn("bob");
    const { body } = await open.exchange(id_token, { scope: "read write" });
    assertEquals([body.scope, decodeJwt(body.access_token).scope], ["read", "read"]);
  });

  for (const changes of [{ scope: "read write" }, { scope: "write" }, { resource: there }]) {
    it(`gives nothing more for ${JSON.stringify(changes)} at the grant`, async () => {
      await using open = await openEnterpriseLab();
      const { idJag } = await gather(open, "bob");
      const { body } = await open.redeem(idJag, changes);
      const { scope, aud } = body.access_token ? decodeJwt(body.access_token) : {};
      assertEquals([scope ?? "read", aud ?? `${issuer}/mcp`], ["read", `${issuer}/mcp`]);
    });
  }

  it("cannot aim an ID-JAG at a resource or a scope that is not of this lab", async () => {
    await using open = await openEnterpriseLab();
    const { id_token } = await open.signIn("alice");
    const [entry] = open.company.clients.get("agent").idJag ?? [];
    const aims = [{ resource: "https://other.example" }, { scopes: ["admin"], users: undefined }];
    for (const aim of aims) {
      change(open.company.clients, "agent", { idJag: [{ ...entry, ...aim } as IdJagConfig] });
      const { body } = await open.exchange(id_token, { resource: undefined });
      assertEquals((await open.redeem(body.access_token)).body.error, "invalid_grant");
    }
    const broken = open.lab.requests().map(({ refusal }) => refusal?.rule).filter(Boolean);
    assertEquals(broken, ["id_jag.resource", "id_jag.scope"]);
  });

  const endings: Record<string, [end: (open: EnterpriseLab) => void, what: "get" | "use"]> = {
    "an employee who left": [({ company }) => company.users.remove("alice"), "get"],
    "an employee who is disabled": [
      ({ company }) => change(company.users, "alice", { disabled: true }),
      "get",
    ],
    "a client that the company disabled": [
      ({ company }) => change(company.clients, "agent", { disabled: true }),
      "get",
    ],
    "an employee whom the policy no longer names": [
      ({ company }) => change(company.clients, "agent", { idJag: withoutAlice(company) }),
      "get",
    ],
    "a user who is gone": [({ lab }) => lab.users.remove("alice"), "use"],
    "a user who is disabled": [({ lab }) => change(lab.users, "alice", { disabled: true }), "use"],
    "a client that is disabled": [
      ({ lab }) => change(lab.clients, "agent-at-mcp", { disabled: true }),
      "use",
    ],
  };
  for (const [title, [end, what]] of Object.entries(endings)) {
    it(`${what === "get" ? "issues" : "redeems"} no ID-JAG for ${title}`, async () => {
      await using open = await openEnterpriseLab();
      const { idToken, idJag } = await gather(open);
      end(open);
      const { status } = what === "get" ? await open.exchange(idToken) : await open.redeem(idJag);
      assertEquals(status >= 400, true);
    });
  }
});
