import type { ClientDocument, ClientDocuments, HostedMetadata } from "./client_documents.ts";
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
  /**
   * Hosts the metadata document of a client (OAuth Client ID Metadata Document), which the lab
   * accepts by its URL as `client_id`: `lab.clientDocument({ redirect_uris: [callback] }).url`.
   * With the member `client_id`, the document is that of a real client, which is not fetched.
   *
   * @throws {LabError} The document is too large, its URL is invalid or taken, or the lab hosts too
   * many.
   */
  clientDocument(document: HostedMetadata & Record<string, unknown>): ClientDocument;
}

/** What the pages and the program need beside it. */
export interface LabMcpInternals {
  /** Returns the URL of the MCP server, or why the lab has none. */
  mcpPlace(): McpPlace;
  readonly documents: Pick<ClientDocuments, "list" | "remove">;
}

/** Where the MCP server of a lab is, or why it has none. */
export interface McpPlace {
  url?: string;
  problem?: string;
}
