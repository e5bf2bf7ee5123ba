import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { add as addClient } from "../../../../src/administration/clients.ts";
import { hallpass, LabError, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { openLabKit } from "../../../support/kit.ts";
import { registerAt } from "../../../support/registration.ts";
import { assertReport } from "../../../support/reported.ts";
import { testClient } from "../../../support/test_client.ts";

const it = itWith({ inLab: () => hallpass({ issuer }) });

const issuer = "http://localhost:9000";
const redirectUri = "http://localhost:3000/callback";
const metadata = { client_name: "Notes", redirect_uris: [redirectUri] };

function authorizeUrl(lab: TestLab, client_id: string): string {
  const client = testClient({ client_id, redirect_uri: redirectUri, scope: "read" });
  return client.authorizationUrl(lab, { resource: `${lab.issuer}/mcp` });
}

describe("A registered client of the lab's MCP server", () => {
  async function register(lab: TestLab, scope: string): Promise<string> {
    const own = { ...metadata, scope, token_endpoint_auth_method: "none" };
    return (await registerAt(lab, own)).body.client_id;
  }

  it("may ask for further scopes of the server, as official clients do that step up", async () => {
    await using lab = await hallpass({ issuer });
    const url = new URL(authorizeUrl(lab, await register(lab, "read")));
    url.searchParams.set("scope", "read write");
    const { code } = await lab.authorize(url.href, { user: "alice" });
    const client_id = url.searchParams.get("client_id") ?? "";
    const fields = { client_id, redirect_uri: redirectUri, resource: `${issuer}/mcp` };
    const { scope, error } = (await testClient().redeem(lab, code ?? "", fields)).body;
    assertEquals([scope, error], ["read write", undefined]);
    assertReport(lab, { leniencies: ["mcpStepUp"] });
    await lab.reset();
    assertReport(lab, { leniencies: [] });
  });

  it.inLab("keeps its scopes if the lab is as strict as a server", async (lab) => {
    lab.configure({ mcpStepUp: false });
    const url = new URL(authorizeUrl(lab, await register(lab, "read")));
    url.searchParams.set("scope", "read write");
    await assertRejects(() => lab.authorize(url.href, { user: "alice" }), LabError, "scope");
    assertReport(lab, { leniencies: [] });
  });

  it("does not lend that to a client whose scopes an operator chose", async () => {
    const kit = openLabKit();
    const client = { id: "app", redirectUris: [redirectUri], scopes: ["read"] };
    await addClient(kit.lab.context, client);
    const request = { client_id: "app", redirect_uri: redirectUri, resource: `${kit.issuer}/mcp` };
    assertEquals((await kit.authorize({ ...request, scope: "read" })).get("error"), null);
    const wider = await kit.authorize({ ...request, scope: "read write" });
    assertEquals(wider.get("error"), "invalid_scope");
  });

  it("keeps its scopes if it also gets tokens without a user", async () => {
    const grantTypes = ["authorization_code", "client_credentials"];
    const initialAccessToken = "initial-access-token-of-the-test-1";
    const allow = { grantTypes, scopes: ["read", "write"], resources: "any" as const };
    const kit = openLabKit({ registration: { initialAccessToken, allow } });
    const response = await kit.lab.fetch(
      new Request(`${kit.issuer}/oauth2/register`, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Authorization: `Bearer ${initialAccessToken}`,
        },
        body: JSON.stringify({
          redirect_uris: [redirectUri],
          grant_types: grantTypes,
          token_endpoint_auth_method: "client_secret_post",
          scope: "read",
        }),
      }),
    );
    const { client_id, client_secret } = await response.json();
    const request = { client_id, redirect_uri: redirectUri, resource: `${kit.issuer}/mcp` };
    const wider = kit.authorize({ ...request, scope: "read write" });
    await assertRejects(() => wider, Error, "invalid_scope");
    const fields = { grant_type: "client_credentials", client_id, client_secret, scope: "write" };
    const { body } = await kit.token({ ...fields, resource: `${kit.issuer}/mcp` });
    assertEquals(body.error, "invalid_scope");
  });

  it("gets no scope beyond those that the lab allows to clients that register", async () => {
    const registration = { open: true, allow: { scopes: ["read"], resources: "any" as const } };
    await using lab = await hallpass({ issuer, registration });
    const url = new URL(authorizeUrl(lab, await register(lab, "read")));
    url.searchParams.set("scope", "read write");
    await assertRejects(() => lab.authorize(url.href, { user: "alice" }), LabError, "scope");
  });

  const narrow: Array<[title: string, resource: string, scope: string]> = [
    ["another resource", "https://api.example/mcp", "read write"],
    ["scopes of others", `${issuer}/mcp`, "read email"],
  ];
  for (const [title, resource, scope] of narrow) {
    it.inLab(`keeps its scopes for ${title}`, async (lab) => {
      const url = new URL(authorizeUrl(lab, await register(lab, "read")));
      url.searchParams.set("resource", resource);
      url.searchParams.set("scope", scope);
      await assertRejects(() => lab.authorize(url.href, { user: "alice" }), LabError, "scope");
    });
  }
});
