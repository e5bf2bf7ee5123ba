import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass, type HallpassOptions, LabError } from "../../../../src/lab/testing/mod.ts";
import { createFullServer } from "../../../../src/server/features.ts";
import { mintForMcp, sendMcp } from "../../../support/mcp.ts";
import { needsSettings } from "../../../support/where_feature.ts";

const issuer = "http://localhost:9000";
const metadataPath = "/.well-known/oauth-protected-resource";

const ownRoute: NonNullable<HallpassOptions["routes"]>[number] = {
  ...{ kind: "api", method: "POST", path: "/mcp" },
  handler: () => new Response("own"),
};

describe("The place of the MCP server of a lab", () => {
  const taken: Record<string, [options: HallpassOptions, problem: string]> = {
    "a route of the test": [
      { routes: [ownRoute] },
      "a route of the configuration has the path '/mcp'",
    ],
    "an endpoint": [{ paths: { token: "/mcp" } }, "'paths.token' is '/mcp'"],
    "a dialect": [{ provider: "github" }, "a lab with a dialect speaks as its provider does"],
    "no resource of that URL": [
      { resources: ["https://api.example"] },
      `'resources' does not list '${issuer}/mcp'`,
    ],
  };
  for (const [title, [options, problem]] of Object.entries(taken)) {
    it(`belongs to ${title}, and the lab says so`, needsSettings(options), async () => {
      await using lab = await hallpass({ issuer, ...options });
      const error = assertThrows(() => lab.mcp(), LabError);
      assertStringIncludes(error.message, problem);
      assertEquals((await lab.fetch(`${issuer}${metadataPath}/mcp`)).status, 404);
    });
  }

  it("leaves the path to the route that has it", async () => {
    await using lab = await hallpass({ issuer, routes: [ownRoute] });
    const response = await lab.fetch(`${issuer}/mcp`, { method: "POST", body: "{}" });
    assertEquals(await response.text(), "own");
  });

  it("leaves the path to a tenant that is opened there later", async () => {
    await using lab = await hallpass({ issuer });
    assertEquals(lab.mcp().url, `${issuer}/mcp`);
    const tenant = await lab.tenant({ issuer: `${issuer}/mcp` });
    assertThrows(() => lab.mcp(), LabError, "a tenant has the path '/mcp'");
    const discovery = await lab.fetch(`${issuer}/mcp/.well-known/openid-configuration`);
    assertEquals((await discovery.json()).issuer, tenant.issuer);
  });

  it("is below the issuer of each tenant, with metadata in the form of RFC 9728", async () => {
    await using lab = await hallpass({ issuer });
    const tenant = await lab.tenant({ id: "acme" });
    const { url } = tenant.mcp();
    assertEquals(url, `${issuer}/t/acme/mcp`);
    const response = await lab.fetch(`${issuer}${metadataPath}/t/acme/mcp`);
    assertEquals((await response.json()).authorization_servers, [tenant.issuer]);
    const token = await mintForMcp(tenant);
    assertEquals((await sendMcp(tenant, { token })).status, 200);
    assertEquals((await sendMcp(lab, { token })).status, 401);
  });

  const names: Array<[requested: string, resource: string]> = [
    ["http://127.0.0.1:9000", "http://127.0.0.1:9000/mcp"],
    ["http://[::1]:9000", "http://[::1]:9000/mcp"],
    ["http://hallpass:9000", "http://hallpass:9000/mcp"],
    ["http://10.0.0.1:9000", "http://localhost:9000/mcp"],
    ["http://127.0.0.1:1234", "http://localhost:9000/mcp"],
  ];
  for (const [requested, resource] of names) {
    it(`is ${resource} for a client that knows the lab as ${requested}`, async () => {
      await using lab = await openNamedLab();
      const response = await lab.fetch(new Request(`${requested}${metadataPath}/mcp`));
      assertEquals((await response.json()).resource, resource);
    });
  }

  it("is not in a server that is no lab", async () => {
    const server = createFullServer({ issuer });
    for (const path of ["/mcp", `${metadataPath}/mcp`, metadataPath]) {
      assertEquals((await server.fetch(new Request(`${issuer}${path}`))).status, 404);
    }
    await server.close();
  });
});

async function openNamedLab() {
  const { openLab } = await import("../../../../src/lab/open_lab.ts");
  return openLab({ issuer, backChannelUrl: "http://hallpass:9000" });
}
