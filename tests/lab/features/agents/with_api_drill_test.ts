import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../../../src/lab/lab.ts";
import { hallpass, type HallpassOptions } from "../../../../src/lab/testing/mod.ts";
import { hasFeature } from "../../../support/where_feature.ts";
import { apiScope, apiUrl, createPlantedApi } from "../api_drill/planted_api.ts";
import type { Weakness } from "../api_drill/planted_weaknesses.ts";
import { callAgentTool } from "./agent_client.ts";

const only = ["no_token", "expired", "wrong_audience"];

/** Opens a lab that reaches an API with weaknesses, without a network. */
async function openWithApi(...weaknesses: readonly Weakness[]) {
  const reached: { api?: (request: Request) => Promise<Response> } = {};
  const fetch: HallpassOptions["fetch"] = async (target, init) =>
    await reached.api?.(new Request(target, init as RequestInit)) ?? Response.error();
  const lab = await hallpass({ fetch, drillOrigins: [new URL(apiUrl).origin] });
  reached.api = createPlantedApi(lab as unknown as Lab, ...weaknesses);
  return lab;
}

describe("drill_api", () => {
  it("passes an API that checks its tokens", async () => {
    await using lab = await openWithApi();
    const { value } = await callAgentTool(lab, "drill_api", {
      request: apiUrl,
      scope: apiScope,
      only,
    });
    assertEquals([value.clean, value.tried], [true, 3]);
  });

  it("says what an API does wrong, as report does later", async () => {
    await using lab = await openWithApi("expired");
    const { text, value } = await callAgentTool(lab, "drill_api", {
      request: apiUrl,
      scope: apiScope,
      only,
    });
    assertEquals(value.findings.map(({ id }: { id: string }) => id), ["expired"]);
    assertMatch(text, /Findings: 1 D\. 3 of 3 checks\..*\n.*\nD expired/);
    const { value: explained } = await callAgentTool(lab, "explain", { rule: "expired" });
    assertEquals(explained.gain, value.findings[0].gain);
    if (!hasFeature("report")) return;
    assertStringIncludes((await callAgentTool(lab, "report")).text, "D expired");
  });

  it("names the argument that is missing as the tool has it", async () => {
    await using lab = await openWithApi();
    const { text, isError } = await callAgentTool(lab, "drill_api", {});
    const words = "'request' is missing. Pass request: the URL of your API.";
    assertEquals([isError, text.startsWith(words)], [true, true]);
  });

  it("says what to do about an API elsewhere, and one that refuses a valid token", async () => {
    await using lab = await openWithApi();
    const elsewhere = { request: "https://api.example/orders" };
    assertMatch((await callAgentTool(lab, "drill_api", elsewhere)).text, /--drill-origin/);
    const refused = { request: apiUrl, audience: "https://other.example" };
    const { text, isError } = await callAgentTool(lab, "drill_api", refused);
    assertEquals(isError, true);
    assertStringIncludes(text, "call mint_token");
  });
});
