import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass, LabError } from "../../../../src/lab/testing/mod.ts";
import { ConfigError } from "../../../../src/server/mod.ts";
import { clientAt, webClient } from "../../../support/provider_login.ts";
import { needs } from "../../../support/where_feature.ts";

const users = [{ name: "alice", claims: { email: "alice@example.com" } }, { name: "bob" }];
const options = { clients: [webClient], users, signIn: "alice" };

describe("A lab that plays several providers", () => {
  it("has each below its path, with its clients and users", async () => {
    await using lab = await hallpass({ ...options, providers: ["google", "entra", "github"] });
    const google = lab.provider("google");
    assertEquals(google.issuer, `${lab.issuer}/t/google`);
    assert((await clientAt(google, "google").logIn({ scope: "openid" })).tokens.id_token);
    const common = `${lab.issuer}/t/entra/common/v2.0/.well-known/openid-configuration`;
    assertEquals(
      (await (await lab.fetch(common)).json()).issuer,
      `${lab.issuer}/t/entra/{tenantid}/v2.0`,
    );
    assertEquals((await lab.fetch(`${lab.issuer}/t/github/user`)).status, 401);
    assertEquals((await lab.fetch(`${lab.issuer}/.well-known/openid-configuration`)).status, 200);
  });

  it("has them again after a reset", async () => {
    await using lab = await hallpass({ ...options, providers: ["github"] });
    await lab.reset();
    assertEquals(lab.provider("github").issuer, `${lab.issuer}/t/github`);
  });

  it("shows one interface and one page, and no provider without an account", async () => {
    const accounts = { bob: ["github" as const] };
    await using lab = await hallpass({ ...options, providers: ["google", "github"], accounts });
    assertEquals(lab.provider("google").users.list().map(({ name }) => name), ["alice"]);
    assertEquals(lab.provider("github").users.list().length, 2);
    const tenants = await (await lab.fetch(`${lab.issuer}/lab/tenants`)).json();
    assertEquals(tenants.map(({ id }: { id: string }) => id), ["google", "github"]);
    const home = await (await lab.fetch(`${lab.issuer}/`)).text();
    assertMatch(home, /<a href="https:\/\/hallpass\.test\/t\/google\/">Google<\/a>/);
    assertMatch(home, /GitHub \(OAuth apps\)/);
    assertMatch(home, /This lab plays these providers for tests\. No\s+provider endorses it\./);
  });

  it("names the one provider that it plays itself on its page", async () => {
    await using lab = await hallpass({ provider: "entra" });
    const home = await (await lab.fetch(`${lab.issuer}/`)).text();
    assertMatch(home, /Microsoft Entra ID \(v2\.0\)/);
    await using plain = await hallpass();
    assert(!(await (await plain.fetch(`${plain.issuer}/`)).text()).includes('id="providers"'));
  });

  const faultsOfEach: Array<[name: string, path: string, body: object]> = [
    ["a fault", "/faults", { name: "token.server_error" }],
    ["a response", "/responses", { at: "userinfo", status: 503 }],
  ];
  for (const [name, path, body] of faultsOfEach) {
    it(`X7: warns that ${name} of the lab never fires at a provider`, needs("faults"), async () => {
      await using lab = await hallpass({ ...options, providers: ["github", "google"] });
      const send = async (more: object) => {
        const headers = { "Content-Type": "application/json" };
        const request = { method: "POST", headers, body: JSON.stringify({ ...body, ...more }) };
        return await (await lab.fetch(`${lab.issuer}/lab${path}`, request)).json();
      };
      assertEquals(
        (await send({})).warning,
        `This fires only at ${lab.issuer}, and at no provider. Name a 'tenant', such as 'github'.`,
      );
      assertEquals((await send({ tenant: "google" })).warning, undefined);
    });
  }

  it("throws for a provider that it does not play", async () => {
    await using lab = await hallpass({ providers: ["github"] });
    assertThrows(() => lab.provider("google"), LabError, "There is no tenant 'google'");
  });

  const refusals: Array<[options: Record<string, unknown>, problem: RegExp]> = [
    [{ provider: "github", providers: ["google"] }, /providers cannot be combined with 'provider'/],
    [{ providers: ["github", "github"] }, /providers contains 'github' more than once/],
    [{ providers: ["gitlap"] }, /providers\[0\]/],
    [{ providers: ["github"], accounts: { zoe: ["github"] } }, /accounts names 'zoe', which is/],
    [{ accounts: { alice: ["github"] } }, /accounts needs 'providers'/],
  ];
  for (const [given, problem] of refusals) {
    it(`refuses ${JSON.stringify(given)}`, async () => {
      const error = await assertRejects(() => hallpass(given), ConfigError);
      assertMatch((error as Error).message, problem);
    });
  }
});
