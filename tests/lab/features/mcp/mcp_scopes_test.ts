import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { add as addClient } from "../../../../src/administration/clients.ts";
import { hallpass, LabError, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { openLabKit } from "../../../support/kit.ts";
import { callMcpTool } from "../../../support/mcp.ts";
import {
  initialAccessToken,
  redirectUri,
  register,
  registerAt,
} from "../../../support/registration.ts";
import { assertClean, assertReport } from "../../../support/reported.ts";
import { testClient } from "../../../support/test_client.ts";
import { featuresOf, needs } from "../../../support/where_feature.ts";

const it = itWith({ inLab: () => hallpass({ issuer }) });

const issuer = "http://localhost:9000";
const resource = `${issuer}/mcp`;

describe("A registered client of the lab's MCP server", () => {
  /** Registers for the scope read, asks for more, and returns the scope of its token. */
  async function stepUp(lab: TestLab, scope = "read write", at = resource) {
    const own = { redirect_uris: [redirectUri], token_endpoint_auth_method: "none", scope: "read" };
    const { client_id } = (await registerAt(lab, own)).body;
    const client = testClient({ client_id, redirect_uri: redirectUri, scope });
    return (await client.tokens(lab, { resource: at })).scope;
  }

  it.inLab("may ask for further scopes of the server, as official clients do that step up", async (lab) => {
    assertEquals(await stepUp(lab), "read write");
    assertReport(lab, { leniencies: ["mcpStepUp"] });
    await lab.reset();
    assertReport(lab, { leniencies: [] });
  });

  it.inLab("keeps its scopes if the lab is as strict as a server", async (lab) => {
    lab.configure({ mcpStepUp: false });
    await assertRejects(() => stepUp(lab), LabError, "scope");
    assertReport(lab, { leniencies: [] });
  });

  it("gets no scope beyond those that the lab allows to clients that register", async () => {
    const registration = { open: true, allow: { scopes: ["read"], resources: "any" as const } };
    await using lab = await hallpass({ issuer, registration });
    await assertRejects(() => stepUp(lab), LabError, "scope");
  });

  const narrow: Array<[title: string, resource: string, scope: string]> = [
    ["another resource", "https://api.example/mcp", "read write"],
    ["scopes of others", resource, "read email"],
  ];
  for (const [title, resource, scope] of narrow) {
    it.inLab(`keeps its scopes for ${title}`, async (lab) => {
      await assertRejects(() => stepUp(lab, scope, resource), LabError, "scope");
    });
  }

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
    const grant_types = ["authorization_code", "client_credentials"];
    const allow = { grantTypes: grant_types, scopes: ["read", "write"], resources: "any" as const };
    const kit = openLabKit({ registration: { initialAccessToken, allow } });
    const method = { token_endpoint_auth_method: "client_secret_post" };
    const metadata = { grant_types, ...method, scope: "read" };
    const { client_id, client_secret } = (await register(kit, metadata, initialAccessToken)).body;
    const asked = { client_id, resource: `${kit.issuer}/mcp` };
    const wider = kit.authorize({ ...asked, redirect_uri: redirectUri, scope: "read write" });
    await assertRejects(() => wider, Error, "invalid_scope");
    const fields = { grant_type: "client_credentials", client_secret, scope: "write", ...asked };
    assertEquals((await kit.token(fields)).body.error, "invalid_scope");
  });
});

const redirect_uri = "http://localhost:3000/callback";
const metadata = { redirect_uris: [redirect_uri], token_endpoint_auth_method: "none" };

/** How a client comes by its id. */
const ways: Record<string, (lab: TestLab) => Promise<string> | string> = {
  "a metadata document": (lab) => lab.clientDocument(metadata).url,
  "registration": async (lab) => (await registerAt(lab, metadata)).body.client_id,
  "configuration": () => "notes",
};

/** Walks through the flow without a scope. */
async function getToken(lab: TestLab, client_id: string): Promise<string> {
  const client = testClient({ client_id, redirect_uri });
  const resource = lab.mcp().url;
  const code = await client.code(lab, { resource, scope: undefined });
  return (await client.redeem(lab, code, { resource })).body.access_token;
}

describe("A client that requests no scope (MCP 2026-07-28, Scope Selection Strategy)", () => {
  for (const [way, clientFor] of Object.entries(ways)) {
    it(
      `gets the default one by ${way}, and calls every tool of its scope`,
      needs(...featuresOf(clientFor)),
      async () => {
        const clients = [{ id: "notes", redirectUris: [redirect_uri] }];
        await using lab = await hallpass({ issuer, clients });
        const token = await getToken(lab, await clientFor(lab));
        const { json } = await callMcpTool(lab, "whoami", { token });
        assertEquals(json.result.structuredContent.scope, ["groups", "read", "write"]);
        assertEquals((await callMcpTool(lab, "write_note", { token })).status, 200);
        assertClean(lab);
      },
    );
  }
});
