import type { TestLab } from "../../src/lab/testing/mod.ts";

/** A message to the MCP server of a lab, and how it is sent. */
export interface SentMessage {
  method?: string;
  params?: Record<string, unknown>;
  /** The access token. */
  token?: string | undefined;
  headers?: Record<string, string>;
  /** The revision of the protocol. */
  version?: string;
  /** What is sent in place of the message. */
  body?: string;
  /** The path of the server. */
  path?: string;
}

/** The response of an MCP server, read once. */
export interface McpReply {
  status: number;
  challenge: string;
  headers: Headers;
  // deno-lint-ignore no-explicit-any
  json: any;
}

const metaPrefix = "io.modelcontextprotocol/";

/** Sends a message as a client of the revision of 2026-07-28 does, unless it is changed. */
export async function sendMcp(lab: TestLab, sent: SentMessage = {}): Promise<McpReply> {
  const { method = "tools/list", params = {}, token, version = "2026-07-28" } = sent;
  const meta = {
    [`${metaPrefix}protocolVersion`]: version,
    [`${metaPrefix}clientCapabilities`]: {},
  };
  const message = { jsonrpc: "2.0", id: 1, method, params: { _meta: meta, ...params } };
  const response = await lab.fetch(`${lab.issuer}${sent.path ?? "/mcp"}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": version,
      "Mcp-Method": method,
      ...typeof params.name === "string" && { "Mcp-Name": params.name },
      ...token !== undefined && { Authorization: `Bearer ${token}` },
      ...sent.headers,
    },
    body: sent.body ?? JSON.stringify(message),
  });
  const text = await response.text();
  return {
    status: response.status,
    challenge: response.headers.get("WWW-Authenticate") ?? "",
    headers: response.headers,
    json: text.startsWith("{") ? JSON.parse(text) : undefined,
  };
}

/** Calls a tool. */
export async function callMcpTool(
  lab: TestLab,
  name: string,
  sent: SentMessage & { args?: Record<string, unknown> } = {},
): Promise<McpReply> {
  const params = { name, arguments: sent.args ?? {} };
  return await sendMcp(lab, { method: "tools/call", params, ...sent });
}

/** Mints a token for the MCP server of a lab. */
export async function mintForMcp(lab: TestLab, scope = "read"): Promise<string> {
  const { access_token } = await lab.mint({ sub: "alice", scope, audience: `${lab.issuer}/mcp` });
  return access_token;
}
