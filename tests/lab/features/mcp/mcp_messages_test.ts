import { describe } from "node:test";
import { mintForMcp } from "../../../support/mcp.ts";
import { itReadsMessages } from "../../../support/mcp_messages.ts";

describe("A message to the MCP server of a lab", () => {
  const place = { name: "hallpass-lab", path: "/mcp", tool: "whoami" };
  itReadsMessages({ ...place, capabilities: { tools: {} }, token: mintForMcp }, {
    "a client that accepts JSON alone": [
      { headers: { Accept: "application/json" } },
      ...[406, -32600, "text/event-stream"] as const,
    ],
  });
});
