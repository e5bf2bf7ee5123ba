import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createFullServer } from "../../../src/server/features.ts";
import { documentsServer } from "../../../src/server/features/documents/config.ts";
import { policyOf } from "../../../src/server/features/registration/registration_policy.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { hasFeature } from "../../support/where_feature.ts";

const issuer = "https://id.example";

describe("The profile mcp (Model Context Protocol, Authorization)", () => {
  const fetchUntrusted = async () => new Response();
  const resources = ["https://mcp.example"];

  it("P06 enables metadata documents, and no registration, which is deprecated there", () => {
    const { settings } =
      createFullServer({ issuer, profile: "mcp", resources, fetchUntrusted }).context;
    const { clientMetadataDocuments } = documentsServer.of(settings);
    assertEquals([policyOf(settings).open, clientMetadataDocuments], [false, true]);
  });

  it("can be restricted", () => {
    const { settings } =
      createFullServer({ issuer, profile: "mcp", resources, clientMetadataDocuments: false })
        .context;
    assertEquals(documentsServer.of(settings).clientMetadataDocuments, false);
  });

  if (hasFeature("pushed authorization requests")) {
    it("reports what contradicts it", () => {
      assertEquals(problemsOf({ issuer, profile: "mcp", requirePar: true }), [
        "resources must name the servers that tokens are meant for under the profile mcp (Model Context Protocol, Authorization, section 'Resource Parameter Implementation')",
        "requirePar must be false, because the clients of this protocol push no requests, under the profile mcp (Model Context Protocol, Authorization, section 'Authorization Flow Steps')",
        "clientMetadataDocuments needs fetchUntrusted, a safe way to fetch the documents; hallpass/serve has guardedFetch()",
      ]);
    });
  }
});
