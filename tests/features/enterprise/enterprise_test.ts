import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import { describe } from "node:test";
import { hallpass, LabError } from "../../../src/lab/testing/mod.ts";
import { ConfigError } from "../../../src/server/mod.ts";
import { itWith } from "../../support/it_with.ts";
import { assertClean, assertReport } from "../../support/reported.ts";
import { needs } from "../../support/where_feature.ts";
import { openEnterpriseLab } from "./enterprise_lab.ts";

const it = itWith({ inEnterprise: () => openEnterpriseLab(), withFaults: needs("faults") });

describe("A lab that is part of an enterprise", () => {
  it.inEnterprise("leads from a sign-in at the company to a tool", async (open) => {
    const { status, json } = await open.call("alice", "whoami");
    assertEquals(status, 200);
    const { subject, client, scope, audience } = json.result.structuredContent;
    assertEquals([subject, client, scope], ["alice", "agent-at-mcp", ["read", "write"]]);
    assertEquals(audience, "http://localhost:9000/mcp");
    assertClean(open.lab, { refused: true });
  });

  it.inEnterprise("gives an employee the scopes of the policy alone", async (open) => {
    assertEquals((await open.call("bob", "read_notes")).status, 200);
    const { status, challenge } = await open.call("bob", "write_note");
    assertEquals(status, 403);
    assertStringIncludes(challenge, `error="insufficient_scope"`);
  });

  it.inEnterprise("has an employee to whom the company issues no ID-JAG, with a rule and an advice", async (open) => {
    const { id_token } = await open.signIn("carol");
    const { status, body } = await open.exchange(id_token);
    assertEquals([status, body.error], [400, "invalid_target"]);
    const refusal = open.lab.requests().at(-1)?.refusal;
    assertEquals(refusal?.rule, "id_jag.user");
    assertMatch(refusal?.fix ?? "", /idJag/);
    assertEquals(open.lab.requests().at(-1)?.client, "agent");
  });

  it.inEnterprise("shows both servers in one flow, and one lineage from the code to the access token", async (open) => {
    await open.call("alice", "whoami");
    const [flow, ...others] = open.lab.flows();
    assertEquals(others, []);
    assertEquals(flow?.steps.map(({ what }) => what), [
      "answered",
      "redeemed",
      "redeemed",
      "redeemed",
      "used",
    ]);
    const url = `${open.lab.issuer}/lab/flows/flow-1`;
    const html = await (await open.lab.fetch(url, { headers: { Accept: "text/html" } })).text();
    const tree = html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
    assertMatch(
      tree,
      /code spent .*token 1 active .*ID token valid .*ID-JAG spent .*token 2 active .*refresh token active/,
    );
    const text = await open.lab.fetch(`${url}/text`);
    const [, , participants] = (await text.text()).split("\n");
    assertMatch(participants ?? "", /Browser +Client +Company +Hallpass +MCP server/);
  });

  it.inEnterprise("has one clock for both", async (open) => {
    const { id_token } = await open.signIn("alice");
    open.lab.clock.advance("2h");
    assertEquals((await open.exchange(id_token)).body.error, "invalid_request");
  });

  it.withFaults("cannot redeem an ID-JAG while a fault hides the keys of the company", async () => {
    await using open = await openEnterpriseLab();
    using _ = open.lab.fault("jwks.server_error", { tenant: "company" });
    const { id_token } = await open.signIn("alice");
    const { body } = await open.redeem((await open.exchange(id_token)).body.access_token);
    assertEquals(body.error, "invalid_grant");
    assertStringIncludes(body.error_description, "keys");
  });

  it.withFaults("takes faults for the company in the interface of the lab", async () => {
    await using open = await openEnterpriseLab();
    const { id_token } = await open.signIn("alice");
    const asked = open.lab.requests({ path: "/oauth2/token" }).at(-1);
    assertEquals(asked?.tenant, "company");
    using fault = open.lab.fault("token.server_error", { tenant: "company" });
    assertEquals((await open.exchange(id_token)).status, 500);
    open.lab.faults.remove(fault.id);
    assertEquals((await open.exchange(id_token)).status, 200);
    assertEquals(open.lab.requests().at(-1)?.tenant, "company");
    assertReport(open.lab, { refusedByFault: [] });
  });

  it.inEnterprise("drills the sign-in at the company", needs("drill"), async (open) => {
    const login = async () => decodeJwt((await open.signIn("alice")).id_token).aud === "agent";
    const { outcomes } = await open.company.drill(login, ["id_token.wrong_aud"]);
    assertEquals(outcomes.map(({ outcome }) => outcome), ["refused"]);
  });

  it.inEnterprise("starts again from the configuration that it saved", async (open) => {
    const saved = await open.lab.fetch(`${open.lab.issuer}/lab/state/configuration`);
    await using again = await openEnterpriseLab(JSON.parse(await saved.text()));
    assertEquals((await again.call("alice", "whoami")).status, 200);
  });

  it("finds the user by the subject that the company knows", async () => {
    const users = [{ name: "ann", sub: "a-1" }, { name: "bo", sub: "ann" }];
    await using open = await openEnterpriseLab({ users });
    const { json } = await open.call("bo", "whoami");
    assertEquals(json.result.structuredContent.subject, "ann");
    const [first] = open.lab.requests({ path: "/mcp" });
    assertEquals(first?.response?.status, 200);
    assertEquals((await open.call("ann", "whoami")).json.result.structuredContent.subject, "a-1");
  });

  it.inEnterprise("comes back with a reset", async (open) => {
    await open.lab.reset();
    assertEquals((await open.call("alice", "whoami")).status, 200);
  });

  it("signs each with keys of its own, also with a seed", async () => {
    await using open = await openEnterpriseLab({ seed: 1 });
    const keys = async (issuer: string) =>
      (await (await open.lab.fetch(`${issuer}/oauth2/jwks`)).json()).keys as Array<
        { n?: string; x?: string }
      >;
    const here = (await keys(open.lab.issuer)).map(({ n, x }) => n ?? x);
    const there = (await keys(open.company.issuer)).map(({ n, x }) => n ?? x);
    assertEquals(there.filter((key) => here.includes(key)), []);
    const token = await open.accessToken("alice");
    assertEquals(decodeJwt(token).iss, open.lab.issuer);
  });

  for (const [name, value] of Object.entries({ users: 3, clients: [null], grantTypes: "all" })) {
    it(`leaves it to the server to report malformed ${name}`, async () => {
      const options = { enterprise: true, [name]: value };
      await assertRejects(() => hallpass(options), ConfigError, name);
    });
  }

  for (
    const [given, problem] of [
      [{ provider: "google" }, "'provider' cannot be combined"],
      [{ profile: "fapi-2.0" }, "no clients with a secret"],
      [{ scopes: ["openid", "read"] }, "lack write"],
      [{ grantTypes: ["authorization_code"] }, "lacks urn:ietf:params:oauth:grant-type:jwt-bearer"],
    ] as const
  ) {
    it(`throws for ${JSON.stringify(given)}`, async () => {
      const opening = hallpass({ enterprise: true, ...given } as Parameters<typeof hallpass>[0]);
      await assertRejects(() => opening, LabError, problem);
    });
  }
});
