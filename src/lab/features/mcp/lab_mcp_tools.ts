import type { McpOptions, McpServer } from "./mcp_tool.ts";

/** What a test can do for clients of the Model Context Protocol. */
export interface LabMcpTools {
  /**
   * Returns the URL of the MCP server of the lab, which is all that a client needs to know. With
   * options, it has the tools of the test: `lab.mcp({ tools: { add: { call: ({ a, b }) => a + b } }
   * })`; before that, those of the lab: whoami, read_notes, write_note, approve_payment.
   *
   * @throws {LabError} A tool is invalid, or the lab has no such server; nothing has changed.
   */
  mcp(options?: McpOptions): McpServer;
}
