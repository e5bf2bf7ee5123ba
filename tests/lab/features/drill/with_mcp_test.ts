import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { mcpRows } from "../../../../src/lab/features/mcp/drill.ts";
import {
  type FaultName,
  hallpass,
  LabError,
  type TestLab,
} from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { callMcpTool, mintForMcp, sendMcp } from "../../../support/mcp.ts";
import { connectMcp } from "../../../support/mcp_client.ts";

const it = itWith({ inLab: () => openLab() });

const issuer = "http://localhost:9000";
const careful = { checks: true, maxStepUps: 2, applicationType: "native" };
const careless = { checks: false, maxStepUps: 20 };

const mcpVariants = mcpRows.flatMap(({ rows }) => rows);

function faultsOf(expectation: string): FaultName[] {
  return mcpVariants.filter((each) => each.expectation === expectation).map(({ fault }) => fault);
}

function openLab(): Promise<TestLab> {
  return hallpass({ issuer });
}

describe("lab.drillMcp", () => {
  it.inLab("finds nothing to blame in a careful client", async (lab) => {
    const result = await lab.drillMcp(() => connectMcp(lab, careful));
    assertEquals(result.accepted, []);
    assertEquals(result.wronglyRefused, []);
    assertEquals(result.unmet, [
      "metadata.only_oauth",
      "metadata.without_documents",
      "register.application_type",
      // This client registers for each connection.
      "register.forgotten",
    ]);
    for (const fault of faultsOf("refuse")) assert(result.refused.includes(fault), fault);
  });

  it.inLab("lists each hostile variant that a careless client accepts", async (lab) => {
    const { accepted, wronglyRefused } = await lab.drillMcp(() => connectMcp(lab, careless));
    const binding = mcpVariants.filter((each) =>
      each.expectation === "refuse" && each.rule === "must" || each.fault === "callback.wrong_state"
    );
    assertEquals(accepted.map(({ fault }) => fault), binding.map(({ fault }) => fault));
    assertEquals(wronglyRefused.map(({ fault }) => fault), ["register.application_type"]);
  });

  it("names the section of each rule, with the proposal that it comes from", () => {
    for (const { see } of mcpVariants) {
      assertMatch(see, /^(MCP 2026-07-28, [A-Z][\w -]+( \(SEP-\d+\))?|RFC \d+, section [\d.]+)$/);
    }
    const proposals = mcpVariants.flatMap(({ see }) => /SEP-\d+/.exec(see)?.[0] ?? []);
    assertEquals(new Set(proposals), new Set(["SEP-985", "SEP-2468", "SEP-837", "SEP-2350"]));
  });

  it.inLab("tries some variants if it is asked to, and knows no others", async (lab) => {
    const only: FaultName[] = ["callback.iss_with_slash"];
    assertEquals((await lab.drillMcp(() => connectMcp(lab, careful), only)).refused, only);
    const attempt = () => lab.drillMcp(() => connectMcp(lab, careful), ["token.slow"]);
    await assertRejects(attempt, LabError, "A drill does not try 'token.slow'.");
  });

  it.inLab("stops if the client fails without a fault", async (lab) => {
    await assertRejects(() => lab.drillMcp(async () => false), LabError, "fails even without");
  });
});

describe("The faults of the MCP server", () => {
  it.inLab("change its responses, and those of its metadata, and are recorded", async (lab) => {
    using fault = lab.fault("mcp.unlisted_scope");
    assertMatch((await sendMcp(lab)).challenge, /scope="read email"/);
    assertEquals([fault.fired, lab.requests().at(-1)?.faults], [1, ["mcp.unlisted_scope"]]);
    using _down = lab.fault("resource_metadata.unavailable", { times: 1 });
    const response = await lab.fetch(`${issuer}/.well-known/oauth-protected-resource/mcp`);
    assertEquals(response.status, 503);
    assertEquals((await lab.fetch(`${issuer}/.well-known/openid-configuration`)).status, 200);
  });

  it.inLab("break a connection in the middle of a response", async (lab) => {
    using _dropped = lab.fault("mcp.dropped", { times: 1 });
    await assertRejects(() => sendMcp(lab), TypeError, "closed the connection");
    assertEquals(lab.requests().at(-1)?.response, undefined);
  });

  it("ask for more scope ten times, and then give in: a client must stop before", async () => {
    await using lab = await openLab();
    using fault = lab.fault("mcp.endless_step_up");
    const token = await mintForMcp(lab, "read write");
    for (let call = 1; call <= 10; call++) {
      const { status, challenge } = await callMcpTool(lab, "whoami", { token });
      assertEquals(status, 403);
      assertMatch(
        challenge,
        /insufficient_scope.*resource_metadata="http:\/\/localhost:9000\/\.well/,
      );
    }
    assertEquals((await callMcpTool(lab, "whoami", { token })).status, 200);
    assertEquals(fault.fired, 10);
  });

  it.inLab("name another authorization server from the second request on", async (lab) => {
    using _fault = lab.fault("resource_metadata.changed_server");
    const servers = async () => {
      const response = await lab.fetch(`${issuer}/.well-known/oauth-protected-resource/mcp`);
      return (await response.json()).authorization_servers;
    };
    assertEquals(await servers(), [issuer]);
    assertEquals(await servers(), ["https://other.example"]);
  });
});
